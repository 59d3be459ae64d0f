import { type SqlBool, sql } from 'kysely'
import { prepare } from '../../db/compiled-queries/prepare.ts'
import type { Db, ReadDb, Statement } from '../../db/open.ts'
import { inBatches } from '../../lib/batches.ts'

/** Counts that are added to the row of a day and slot. */
export type Addition = { day: string; slot: number; sign_ins: number; active_users: number }
export type DayRow = { day: string; sign_ins: number; active_users: number }

const clientDay = prepare((db, row: Addition & { client_id: string }) =>
  db
    .insertInto('client_days')
    .values({ client_id: row.client_id, ...toColumns(row) })
    .onConflict((c) =>
      c.columns(['client_id', 'day', 'slot']).doUpdateSet((e) => ({
        sign_ins: e('client_days.sign_ins', '+', e.ref('excluded.sign_ins')),
        active_users: e('client_days.active_users', '+', e.ref('excluded.active_users')),
      })),
    ),
)

export function clientDayStatement(row: Addition & { client_id: string }): Statement {
  return clientDay.with(row)
}

export async function upsertClientDay(db: Db, client_id: string, addition: Addition): Promise<void> {
  await clientDay.changed(db, { client_id, ...addition })
}

const developerDay = prepare((db, row: Addition & { developer_id: string }) =>
  db
    .insertInto('developer_days')
    .values({ developer_id: row.developer_id, ...toColumns(row) })
    .onConflict((c) =>
      c.columns(['developer_id', 'day', 'slot']).doUpdateSet((e) => ({
        sign_ins: e('developer_days.sign_ins', '+', e.ref('excluded.sign_ins')),
        active_users: e('developer_days.active_users', '+', e.ref('excluded.active_users')),
      })),
    ),
)

export function developerDayStatement(row: Addition & { developer_id: string }): Statement {
  return developerDay.with(row)
}

export async function upsertDeveloperDay(db: Db, developer_id: string, addition: Addition): Promise<void> {
  await developerDay.changed(db, { developer_id, ...addition })
}

/** Names the columns one by one, because parameters of a prepared query cannot be spread. */
function toColumns({ day, slot, sign_ins, active_users }: Addition): Addition {
  return { day, slot, sign_ins, active_users }
}

/** Lists the days from `since` on that have rows, oldest first. */
export async function listClientDays(db: ReadDb, client_id: string, since: string): Promise<DayRow[]> {
  const rows = await db
    .selectFrom('client_days')
    .select(['day', sum('sign_ins'), sum('active_users')])
    .where('client_id', '=', client_id)
    .where('day', '>=', since)
    .groupBy('day')
    .orderBy('day')
    .execute()
  return rows.map(toDayRow)
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
  return rows.map(toDayRow)
}

/** Counts sign-ins from `since` on by client; clients without sign-ins are left out. */
export async function countSignIns(
  db: ReadDb,
  client_ids: readonly string[],
  since: string,
): Promise<{ client_id: string; sign_ins: number }[]> {
  const query = db
    .selectFrom('client_days')
    .select(['client_id', sum('sign_ins')])
    .where('day', '>=', since)
    .groupBy('client_id')
  const rows = await inBatches(client_ids, (some) => query.where('client_id', 'in', some).execute())
  return rows.map(({ client_id, sign_ins }) => ({ client_id, sign_ins: Number(sign_ins) }))
}

/** Deletes at most `limit` rows per table of days before `day`. Returns the number of rows. */
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

/** PostgreSQL returns sums of integers as bigint, which the driver delivers as text. */
function sum<C extends 'sign_ins' | 'active_users'>(column: C) {
  return sql<number | string>`sum(${sql.ref(column)})`.as(column)
}

function toDayRow(row: { day: string; sign_ins: number | string; active_users: number | string }): DayRow {
  return { day: row.day, sign_ins: Number(row.sign_ins), active_users: Number(row.active_users) }
}
