import { type SqlBool, sql } from 'kysely'
import type { Db, ReadDb } from '../../db/open.ts'
import { prepare } from '../../db/prepare.ts'

/** What is added to one row of figures. */
export type Addition = { day: string; slot: number; sign_ins: number; active_users: number }
export type DayRow = { day: string; sign_ins: number; active_users: number }

const toClientDay = prepare((db, row: Addition & { client_id: string }) =>
  db
    .insertInto('client_days')
    .values({ client_id: row.client_id, ...placesOf(row) })
    .onConflict((c) =>
      c.columns(['client_id', 'day', 'slot']).doUpdateSet((e) => ({
        sign_ins: e('client_days.sign_ins', '+', e.ref('excluded.sign_ins')),
        active_users: e('client_days.active_users', '+', e.ref('excluded.active_users')),
      })),
    ),
)

export async function addToClientDay(db: Db, client_id: string, addition: Addition): Promise<void> {
  await toClientDay.changed(db, { client_id, ...addition })
}

const toDeveloperDay = prepare((db, row: Addition & { developer_id: string }) =>
  db
    .insertInto('developer_days')
    .values({ developer_id: row.developer_id, ...placesOf(row) })
    .onConflict((c) =>
      c.columns(['developer_id', 'day', 'slot']).doUpdateSet((e) => ({
        sign_ins: e('developer_days.sign_ins', '+', e.ref('excluded.sign_ins')),
        active_users: e('developer_days.active_users', '+', e.ref('excluded.active_users')),
      })),
    ),
)

export async function addToDeveloperDay(db: Db, developer_id: string, addition: Addition): Promise<void> {
  await toDeveloperDay.changed(db, { developer_id, ...addition })
}

/** Named one by one: a prepared query's parameters cannot be spread. */
function placesOf({ day, slot, sign_ins, active_users }: Addition): Addition {
  return { day, slot, sign_ins, active_users }
}

/** Days on which something happened, from `since` on, oldest first. */
export async function listClientDays(db: ReadDb, client_id: string, since: string): Promise<DayRow[]> {
  const rows = await db
    .selectFrom('client_days')
    .select(['day', sum('sign_ins'), sum('active_users')])
    .where('client_id', '=', client_id)
    .where('day', '>=', since)
    .groupBy('day')
    .orderBy('day')
    .execute()
  return rows.map(counted)
}

export async function listDeveloperDays(db: ReadDb, developer_id: string, since: string): Promise<DayRow[]> {
  const rows = await db
    .selectFrom('developer_days')
    .select(['day', sum('sign_ins'), sum('active_users')])
    .where('developer_id', '=', developer_id)
    .where('day', '>=', since)
    .groupBy('day')
    .orderBy('day')
    .execute()
  return rows.map(counted)
}

/** Sign-ins from `since` on, by app; an app without any is not named. */
export async function countSignIns(
  db: ReadDb,
  client_ids: readonly string[],
  since: string,
): Promise<{ client_id: string; sign_ins: number }[]> {
  if (client_ids.length === 0) return []
  const rows = await db
    .selectFrom('client_days')
    .select(['client_id', sum('sign_ins')])
    .where('client_id', 'in', client_ids)
    .where('day', '>=', since)
    .groupBy('client_id')
    .execute()
  return rows.map(({ client_id, sign_ins }) => ({ client_id, sign_ins: Number(sign_ins) }))
}

/** Forgets up to `limit` rows of days before this one; answers how many. */
export async function deleteDaysBefore(db: Db, day: string, limit: number): Promise<number> {
  let deleted = 0
  for (const [table, owner] of [
    ['client_days', 'client_id'],
    ['developer_days', 'developer_id'],
  ] as const) {
    const key = sql`${sql.ref(owner)}, day, slot`
    const old = sql<SqlBool>`(${key}) in (select ${key} from ${sql.table(table)} where day < ${day} limit ${limit})`
    const { numDeletedRows } = await db.deleteFrom(table).where(old).executeTakeFirst()
    deleted += Number(numDeletedRows)
  }
  return deleted
}

/** PostgreSQL sums integers into a type of its own, which arrives as text. */
function sum<C extends 'sign_ins' | 'active_users'>(column: C) {
  return sql<number | string>`sum(${sql.ref(column)})`.as(column)
}

function counted(row: { day: string; sign_ins: number | string; active_users: number | string }): DayRow {
  return { day: row.day, sign_ins: Number(row.sign_ins), active_users: Number(row.active_users) }
}
