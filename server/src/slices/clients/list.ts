import { type clients, type InputOf, problem } from '@vrata/contract'
import type { ReadDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { infoOf } from './info.ts'
import { type ClientPlace, listClients } from './store.ts'

/** One page of the organisation's apps; one more than asked for is read, to know whether there is a next page. */
export async function listOwnClients(deps: ReadDeps, actor: Member, input: InputOf<typeof clients.listClients>) {
  const after = input.cursor === undefined ? undefined : placeOf(input.cursor)
  const rows = await listClients(deps.db, actor.developer_id, { after, limit: input.limit + 1 })
  const page = rows.slice(0, input.limit)
  const last = page.at(-1)
  return { data: page.map(infoOf), next_cursor: last && rows.length > page.length ? cursorOf(last) : null }
}

function cursorOf({ client_id, sort_name }: ClientPlace): string {
  return Buffer.from(`${client_id} ${sort_name}`).toString('base64url')
}

/** A cursor is ours or nonsense; it can name no more than a place in the organisation's own list. */
function placeOf(cursor: string): ClientPlace {
  const text = Buffer.from(cursor, 'base64url').toString()
  const space = text.indexOf(' ')
  if (space < 1 || text.includes('\0')) throw problem('invalid_request', { fields: { cursor: 'invalid' } })
  return { client_id: text.slice(0, space), sort_name: text.slice(space + 1) }
}
