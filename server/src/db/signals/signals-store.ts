import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../compiled-queries/handle.ts'
import { prepare } from '../compiled-queries/prepare.ts'

/** The PostgreSQL channel that carries all our channels. */
export const WIRE = 'vrata'

/** A signal on its way to other processes. */
export type Signal = { id: string; from: string; channel: string; payload: string }

/** The row of `settings` until when rows are written, too; set by processes that read them. */
const POLLED_UNTIL = 'signals_polled_until'

/** The time of the database, so that clocks of servers do not matter. */
function databaseTime(seconds = 0): RawBuilder<string> {
  return sql<string>`to_char((clock_timestamp() + make_interval(secs => ${sql.lit(seconds)})) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

const signal = prepare((db, row: Signal & { text: string }) => ({
  compile: () =>
    sql`
    with kept as (
      insert into signals (id, sender, channel, payload, created_at)
      select ${row.id}, ${row.from}, ${row.channel}, ${row.payload}, ${databaseTime()}
      where exists (select 1 from settings where key = ${sql.lit(POLLED_UNTIL)} and value > ${databaseTime()})
    )
    select pg_notify(${WIRE}, ${row.text})`.compile(db),
}))

/** Notifies the processes that listen, and inserts a row while others poll. Inside a transaction both happen with its commit. */
export async function insertSignal(db: Db, sent: Signal): Promise<void> {
  await signal.rows(db, { ...sent, text: JSON.stringify(sent) })
}

/** Lets signals be kept in rows for the next seconds. */
export async function upsertPolledUntil(db: Db, seconds: number): Promise<void> {
  await db
    .insertInto('settings')
    .values({ key: POLLED_UNTIL, value: databaseTime(seconds) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: databaseTime(seconds) }))
    .execute()
}

/** Signals of at most this many seconds ago, oldest first, and the time of the database. */
export async function listSignals(db: Db, seconds: number): Promise<{ asked_at: string; signals: Signal[] }> {
  const rows = await db
    .selectFrom(db.selectNoFrom(databaseTime().as('asked_at')).as('clock'))
    .leftJoin('signals', (join) => join.on('signals.created_at', '>', databaseTime(-seconds)))
    .select(['clock.asked_at', 'signals.id', 'signals.sender as from', 'signals.channel', 'signals.payload'])
    .orderBy('signals.created_at')
    .orderBy('signals.id')
    .execute()
  const signals = rows.filter((row): row is (typeof rows)[number] & Signal => row.id !== null)
  return { asked_at: rows[0]?.asked_at as string, signals }
}

/** Deletes signals of more than this many seconds ago. */
export async function deleteSignals(db: Db, seconds: number): Promise<void> {
  await db.deleteFrom('signals').where('created_at', '<', databaseTime(-seconds)).execute()
}
