import type { InputOf, quickStart } from '@vrata/contract'
import type { ReadDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { listOrigins, listRedirectUris } from './address-store.ts'
import { QUICK_STARTS } from './generated/quick-starts.ts'
import { ownClient } from './own-client.ts'

/** A program as it is written in `examples/quick-starts`, whose `list.ts` says what each part means. */
export type QuickStartTemplate = {
  key: string
  title: string
  kinds: readonly string[]
  redirect_uri?: string
  origin?: string
  install?: string
  run: string
  open?: string
  files: readonly { name: string; language: string; code: string }[]
}

/** What stands in the programs where the values of an app belong. */
const ISSUER = 'https://id.example.com'
const CLIENT_ID = 'YOUR_CLIENT_ID'
/** Libraries refuse http unless told otherwise; these lines tell them, and have no place in what goes live. */
const ONLY_ON_HTTP = /^.*(?:\/\/|#) while Vrata runs on http\n/gm

/** The programs for this kind of app, filled in, and whether what they need is registered. */
export async function quickStartsOf(
  deps: ReadDeps,
  actor: Member,
  { id }: InputOf<typeof quickStart.listQuickStarts>,
): Promise<quickStart.QuickStart[]> {
  const client = await ownClient(deps, actor, id)
  const uris = await listRedirectUris(deps.db, client)
  const origins = await listOrigins(deps.db, client)
  const { url } = deps.config
  const filled = (code: string) => {
    const usable = url.startsWith('http:') ? code : code.replace(ONLY_ON_HTTP, '')
    return usable.replaceAll(ISSUER, url).replaceAll(CLIENT_ID, client.client_id)
  }
  const known = (value: string | undefined, registered: readonly string[]) =>
    value === undefined ? null : { value, registered: registered.includes(value) }
  return QUICK_STARTS.filter(({ kinds }) => kinds.includes(client.type)).map(
    ({ key, title, redirect_uri, origin, install = null, run, open = null, files }) => ({
      key,
      title,
      redirect_uri: known(redirect_uri, uris),
      origin: known(origin, origins),
      install,
      run,
      open,
      files: files.map((file) => ({ ...file, code: filled(file.code) })),
    }),
  )
}
