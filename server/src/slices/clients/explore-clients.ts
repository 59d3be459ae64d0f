import type { InputOf, scopes } from '@vrata/contract'
import { anywhere, folded } from '../../db/search-text.ts'
import type { ReadDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { developerCards } from '../developers/door.ts'
import { listClientsNamed } from './explore-store.ts'
import { cursorOf, placeOf } from './list.ts'

/** Apps by name, of every organisation: whose scopes one may ask for. Nothing but what a consent screen tells anybody. */
export async function exploreClients(deps: ReadDeps, _: Member, input: InputOf<typeof scopes.exploreClients>) {
  const after = input.cursor === undefined ? undefined : placeOf(input.cursor)
  const pattern = anywhere(folded(input.query))
  const rows = await listClientsNamed(deps.db, pattern, { after, limit: input.limit + 1 })
  const page = rows.slice(0, input.limit)
  const last = page.at(-1)
  const developers = await developerCards(deps.db, [...new Set(page.map(({ developer_id }) => developer_id))])
  return {
    data: page.map(({ client_id, name, icon, scope_prefix, developer_id }) => ({
      client_id,
      name,
      icon,
      scope_prefix,
      developer: { name: developers.get(developer_id)?.name ?? '' },
    })),
    next_cursor: last && rows.length > page.length ? cursorOf(last) : null,
  }
}
