import { atLeast, type clients, type InputOf, problem, statistics } from '@vrata/contract'
import { folded } from '../../db/search-text.ts'
import type { AppDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { toClientInfo } from './info.ts'
import { type ClientCursor, type ClientRow, listClients } from './store.ts'

/** Lists one page of the clients of the developer account. One row more than the page shows whether there is a next page. */
export async function listOwnClients(
  deps: Pick<AppDeps, 'db' | 'clock' | 'signInCounts'>,
  actor: MemberActor,
  input: InputOf<typeof clients.listClients>,
) {
  const { enabled, sort } = input
  const after = input.cursor === undefined ? undefined : decodeClientCursor(input.cursor)
  const matching = input.query && folded(input.query)
  const rows = await listClients(deps.db, actor.developer_id, {
    matching,
    enabled,
    sort,
    after,
    limit: input.limit + 1,
  })
  const page = rows.slice(0, input.limit)
  const last = page.at(-1)
  const now = deps.clock.now()
  const week = atLeast(actor.permission, statistics.getClientStatistics.needs)
    ? await deps.signInCounts.lastWeek(
        deps.db,
        page.map(({ client_id }) => client_id),
        now,
      )
    : undefined
  return {
    data: page.map((app) => ({
      ...toClientInfo(app, now),
      week_sign_ins: week ? (week.get(app.client_id) ?? 0) : null,
    })),
    next_cursor: last && rows.length > page.length ? encodeClientCursor(last, sort) : null,
  }
}

/** The position is the value of the column by which the list is sorted. */
export function encodeClientCursor(
  { client_id, sort_name, created_at }: Pick<ClientRow, 'client_id' | 'sort_name' | 'created_at'>,
  sort: clients.ClientSort = 'name',
): string {
  const place = sort === 'name' ? sort_name : created_at
  return Buffer.from(`${client_id} ${place}`).toString('base64url')
}

/** Decodes a cursor. A forged cursor is harmless: it is only a position in a list that the caller may read. */
export function decodeClientCursor(cursor: string): ClientCursor {
  const text = Buffer.from(cursor, 'base64url').toString()
  const space = text.indexOf(' ')
  if (space < 1 || text.includes('\0')) throw problem('invalid_request', { fields: { cursor: 'invalid' } })
  return { client_id: text.slice(0, space), place: text.slice(space + 1) }
}
