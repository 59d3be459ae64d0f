import type { Config } from '../config/config.ts'
import { loginKey } from '../features/account/public.ts'
import { issueRegistrationToken } from '../features/client-registration/public.ts'
import { CommandError } from './command-error.ts'
import { JSON_ONLY, parseCommand } from './command-line.ts'
import { withDeps } from './with-deps.ts'

const OPTIONS = {
  uses: { type: 'string' },
  days: { type: 'string' },
  'pkce-optional': { type: 'boolean' },
  ...JSON_ONLY,
} as const

/**
 * `vrata client registration-token`: prints an initial access token for client registration (RFC 7591 §3, decision
 * 0031).
 */
export async function giveRegistrationToken(config: Config, args: string[]): Promise<void> {
  const { values, positionals } = parseCommand(args, OPTIONS)
  const [developer_id, email, ...more] = positionals
  if (!developer_id || !email || more.length > 0)
    throw new CommandError('Give the id of the organization (from its URL) and the email of a member.', { exitCode: 2 })
  const uses = wholeNumber('uses', values.uses, 10_000)
  const days = wholeNumber('days', values.days, 365)
  await withDeps(config, async (deps) => {
    const terms = { developer_id, email: loginKey(email), uses, days, require_pkce: !values['pkce-optional'] }
    const issued = await deps.transaction((tx) =>
      issueRegistrationToken(tx, { command: 'vrata client registration-token' }, terms),
    )
    if (!issued) throw new CommandError(`${email} may not register apps of the organization ${developer_id}.`)
    const { token, row } = issued
    const on = config.client_registration
    if (values.json) {
      console.log(JSON.stringify({ token, uses, expires_at: row.expires_at, registration_on: on }))
      return
    }
    console.log(token)
    const off = on ? '' : ' Registration is off until VRATA_CLIENT_REGISTRATION=on.'
    console.error(`Valid for ${uses} ${uses === 1 ? 'app' : 'apps'} and ${days} ${days === 1 ? 'day' : 'days'}.${off}`)
  })
}

function wholeNumber(option: string, given: string | undefined, most: number): number {
  const figure = Number(given ?? 1)
  if (Number.isInteger(figure) && figure >= 1 && figure <= most) return figure
  throw new CommandError(`--${option} must be a whole number from 1 to ${most}.`, { exitCode: 2 })
}
