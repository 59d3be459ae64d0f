import { parseArgs } from 'node:util'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { issueRegistrationToken } from './features/client-registration/public.ts'
import { openAdapters } from './main.ts'

/**
 * `vrata client registration-token`: prints an initial access token for client registration (RFC 7591 §3, decision
 * 0031).
 */
export async function giveRegistrationToken(config: Config, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { uses: { type: 'string' }, days: { type: 'string' }, 'pkce-optional': { type: 'boolean' } },
  })
  const [developer_id, email] = positionals
  const uses = within(values.uses, 1, 10_000)
  const days = within(values.days, 1, 365)
  if (!developer_id || !email || !uses || !days) {
    throw new Error('Give the id of the organization (from its URL) and the email of a member.')
  }
  const { adapters, store } = await openAdapters(config)
  const { app, deps } = await buildApp({ adapters, store, pages: false })
  const terms = { developer_id, email, uses, days, require_pkce: !values['pkce-optional'] }
  const token = await deps.transaction((tx) => issueRegistrationToken(tx, terms))
  await app.close()
  await store.close()
  if (!token) throw new Error(`${email} may not register apps of the organization ${developer_id}.`)
  console.log(token)
  const off = config.client_registration ? '' : ' Registration is off until VRATA_CLIENT_REGISTRATION=on.'
  console.error(`Valid for ${uses} ${uses === 1 ? 'app' : 'apps'} and ${days} ${days === 1 ? 'day' : 'days'}.${off}`)
}

function within(given: string | undefined, least: number, most: number): number | undefined {
  const figure = Number(given ?? least)
  return Number.isInteger(figure) && figure >= least && figure <= most ? figure : undefined
}
