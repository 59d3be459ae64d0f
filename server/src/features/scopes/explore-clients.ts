import type { InputOf, scopes } from '@vrata/contract'
import { anywhere, folded } from '../../db/search-text.ts'
import type { AppDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { decodeClientCursor, encodeClientCursor, listClientsByName } from '../clients/public.ts'
import { findDeveloperCards } from '../developers/public.ts'

/** Lists clients by name: the own, and those of all developer accounts that can be used. Returns only what the consent screen shows to everybody. */
export async function exploreClients(
  deps: Pick<AppDeps, 'db'>,
  { developer_id }: MemberActor,
  input: InputOf<typeof scopes.exploreClients>,
) {
  const after = input.cursor === undefined ? undefined : decodeClientCursor(input.cursor)
  const pattern = anywhere(folded(input.query))
  const rows = await listClientsByName(deps.db, pattern, { developer_id, after, limit: input.limit + 1 })
  const page = rows.slice(0, input.limit)
  const last = page.at(-1)
  const developers = await findDeveloperCards(deps.db, [...new Set(page.map(({ developer_id }) => developer_id))])
  return {
    data: page.map(({ client_id, name, icon, scope_prefix, developer_id }) => ({
      client_id,
      name,
      icon,
      scope_prefix,
      developer: { name: developers.get(developer_id)?.name ?? '' },
    })),
    next_cursor: last && rows.length > page.length ? encodeClientCursor(last) : null,
  }
}
