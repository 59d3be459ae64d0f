import { atLeast, type clients, type InputOf, problem, statistics } from '@vrata/contract'
import { folded } from '../../db/search-text.ts'
import type { ReadDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { infoOf } from './info.ts'
import { weekSignIns } from './statistics.ts'
import { type ClientPlace, listClients } from './store.ts'

/** One page of the organisation's apps; one more than asked for is read, to know whether there is a next page. */
export async function listOwnClients(deps: ReadDeps, actor: Member, input: InputOf<typeof clients.listClients>) {
  const after = input.cursor === undefined ? undefined : placeOf(input.cursor)
  const matching = input.query && folded(input.query)
  const rows = await listClients(deps.db, actor.developer_id, { matching, after, limit: input.limit + 1 })
  const page = rows.slice(0, input.limit)
  const last = page.at(-1)
  const week = atLeast(actor.permission, statistics.clientStatistics.needs)
    ? await weekSignIns(
        deps.db,
        page.map(({ client_id }) => client_id),
        deps.clock.now(),
      )
    : undefined
  return {
    data: page.map((app) => ({ ...infoOf(app), week_sign_ins: week ? (week.get(app.client_id) ?? 0) : null })),
    next_cursor: last && rows.length > page.length ? cursorOf(last) : null,
  }
}

export function cursorOf({ client_id, sort_name }: ClientPlace): string {
  return Buffer.from(`${client_id} ${sort_name}`).toString('base64url')
}

/** A cursor is ours or nonsense; it can name no more than a place in the organisation's own list. */
export function placeOf(cursor: string): ClientPlace {
  const text = Buffer.from(cursor, 'base64url').toString()
  const space = text.indexOf(' ')
  if (space < 1 || text.includes('\0')) throw problem('invalid_request', { fields: { cursor: 'invalid' } })
  return { client_id: text.slice(0, space), sort_name: text.slice(space + 1) }
}
