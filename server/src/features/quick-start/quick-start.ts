import type { InputOf, quickStart } from '@vrata/contract'
import type { AppDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { findOwnClient, listOrigins, listRedirectUris } from '../clients/public.ts'
import { QUICK_STARTS } from './generated/quick-starts.ts'

/** Placeholders in the programs. */
const ISSUER = 'https://id.example.com'
const CLIENT_ID = 'YOUR_CLIENT_ID'
/** Lines that make libraries accept http; removed where the issuer has https. */
const HTTP_ONLY_LINE = /^.*(?:\/\/|#) while Vrata runs on http\n/gm

/** Lists the programs for the type of the client with its settings, and whether the addresses that they need are registered. */
export async function listQuickStarts(
  deps: Pick<AppDeps, 'db' | 'config'>,
  actor: MemberActor,
  { id }: InputOf<typeof quickStart.listQuickStarts>,
): Promise<quickStart.QuickStart[]> {
  const client = await findOwnClient(deps, actor, id)
  const uris = await listRedirectUris(deps.db, client)
  const origins = await listOrigins(deps.db, client)
  const { url } = deps.config
  const fillIn = (code: string) => {
    const usableCode = url.startsWith('http:') ? code : code.replace(HTTP_ONLY_LINE, '')
    return usableCode.replaceAll(ISSUER, url).replaceAll(CLIENT_ID, client.client_id)
  }
  const known = (value: string | undefined, registered: readonly string[]) =>
    value === undefined ? null : { value, registered: registered.includes(value) }
  return QUICK_STARTS.filter(({ kinds }) => kinds.includes(client.type)).map(
    ({ key, title, redirect_uri, origin, install = null, run, open = null, id_token_algorithms = [], files }) => ({
      key,
      title,
      redirect_uri: known(redirect_uri, uris),
      origin: known(origin, origins),
      install,
      run,
      open,
      id_token_algorithms: [...id_token_algorithms],
      files: files.map((file) => ({ ...file, code: fillIn(file.code) })),
    }),
  )
}
