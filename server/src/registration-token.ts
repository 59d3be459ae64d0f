import { parseArgs } from 'node:util'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { openWorld } from './main.ts'
import { issueRegistrationToken } from './slices/clients/door.ts'

/** `vrata client registration-token`: prints a token with which a program may register apps (decision 0126). */
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
    throw new Error('Tell the id of the organization (it stands in its address) and the email of a member of it.')
  }
  const { world, store } = await openWorld(config)
  const { app, deps } = await buildApp({ world, store, pages: false })
  const terms = { developer_id, email, uses, days, require_pkce: !values['pkce-optional'] }
  const token = await deps.transaction((tx) => issueRegistrationToken(tx, terms))
  await app.close()
  await store.close()
  if (!token) throw new Error(`${email} is nobody who may register apps of ${developer_id}.`)
  console.log(token)
  const off = config.client_registration ? '' : ' Registration is off until VRATA_CLIENT_REGISTRATION=on.'
  console.error(`Good for ${uses} ${uses === 1 ? 'app' : 'apps'} and ${days} ${days === 1 ? 'day' : 'days'}.${off}`)
}

function within(given: string | undefined, least: number, most: number): number | undefined {
  const figure = Number(given ?? least)
  return Number.isInteger(figure) && figure >= least && figure <= most ? figure : undefined
}
