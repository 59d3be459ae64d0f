import { setImmediate as nextTurn } from 'node:timers/promises'
import { unlessInterrupted } from '../../lib/interruption.ts'
import { makeHandle } from '../compiled-queries/handle.ts'
import { REHEARSAL } from '../dialect.ts'
import { migrate } from '../migrate.ts'
import { migrations } from '../migrations/index.ts'
import { openDatabase } from '../open.ts'
import { runOn } from '../postgres/statements.ts'
import { fillDatabase } from './fill.ts'
import { WITHOUT_TIMEOUTS } from './postgres-connection.ts'
import { inRehearsalFolder, inRehearsalSchema } from './rehearsal-place.ts'
import { type DatabaseLocation, type Snapshot, withSnapshot } from './snapshot.ts'
import { quoted } from './tables.ts'

/** Result of a migration of a copy of the database. */
export type Rehearsed = {
  migration: string
  milliseconds: number
  /** Existing tables that it locked, and for whom, until its end. SQLite locks the whole database for writers. */
  locks: { table: string; waiting: 'writers' | 'readers and writers' }[]
}

/** Runs one migration on the copy. */
type RunOne = (name: string) => Promise<Rehearsed>

/** Copies the database, runs the pending migrations on the copy, and deletes it. Servers go on working. Throws `OtherRehearsal`. */
export async function rehearseMigrations(
  place: DatabaseLocation,
  interruption = new AbortController().signal,
): Promise<Rehearsed[]> {
  const pending = await withSnapshot(
    place,
    async ({ migrations: applied }) => Object.keys(migrations).filter((name) => !applied.includes(name)),
    { interruption },
  )
  if (pending.length === 0) return []
  const run = async (runOne: RunOne) => {
    const results: Rehearsed[] = []
    for (const name of pending) {
      await nextTurn()
      interruption.throwIfAborted()
      results.push(await runOne(name))
    }
    return results
  }
  const copied = (to: DatabaseLocation, schema?: string) => copy(place, to, interruption, schema)
  return place.url === undefined ? await onSqlite(place, copied, run) : await onPostgres(place, place.url, copied, run)
}

async function copy(
  from: DatabaseLocation,
  to: DatabaseLocation,
  interruption: AbortSignal,
  schema: string | undefined,
): Promise<void> {
  const fill = (snapshot: Snapshot) =>
    fillDatabase(
      to,
      async (target) => {
        await target.migrate(snapshot.migrations)
        await target.clear()
        await target.prepare()
        for (const table of snapshot.tables)
          await target.load(table, unlessInterrupted(interruption, snapshot.rows(table)))
        await target.finish()
      },
      schema === undefined ? {} : { schema },
    )
  await withSnapshot(from, fill, { interruption })
}

type Copy = (to: DatabaseLocation, schema?: string) => Promise<void>

async function onSqlite<T>(place: DatabaseLocation, copied: Copy, work: (runOne: RunOne) => Promise<T>): Promise<T> {
  return await inRehearsalFolder(place.dataDir, async (dataDir) => {
    await copied({ dataDir })
    const store = await openDatabase({ dataDir })
    try {
      return await work(async (name) => {
        const begun = performance.now()
        await migrate('sqlite', store.transaction, [name])
        const milliseconds = Math.round(performance.now() - begun)
        return { migration: name, milliseconds, locks: [{ table: '*', waiting: 'writers' }] }
      })
    } finally {
      await store.close()
    }
  })
}

async function onPostgres<T>(
  place: DatabaseLocation,
  url: string,
  copied: Copy,
  work: (runOne: RunOne) => Promise<T>,
): Promise<T> {
  return await inRehearsalSchema(url, async (sql) => {
    await copied(place, REHEARSAL)
    const runOne: RunOne = async (name) =>
      await sql.begin(async (tx) => {
        await tx.unsafe(`${WITHOUT_TIMEOUTS}; set local search_path = ${quoted(REHEARSAL)}`)
        const before = await tx.unsafe<{ oid: string }[]>(TABLES)
        const db = makeHandle('postgres', (query) => runOn(tx, query))
        const begun = performance.now()
        await migrate('postgres', (step) => step({ db, after: () => {} }), [name])
        const milliseconds = Math.round(performance.now() - begun)
        const locks = await tx.unsafe<{ table: string; exclusive: boolean }[]>(LOCKS, [
          `{${before.map(({ oid }) => oid)}}`,
        ])
        return {
          migration: name,
          milliseconds,
          locks: locks.map(({ table, exclusive }) => ({
            table,
            waiting: exclusive ? ('readers and writers' as const) : ('writers' as const),
          })),
        }
      })
    return await work(runOne)
  })
}

const TABLES = `select oid::text as oid from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`

/** Locks that others notice: those that conflict with writing, or also with reading (PostgreSQL, "Explicit Locking"). */
const LOCKS = `
  select relname as table, bool_or(mode = 'AccessExclusiveLock') as exclusive
  from pg_locks join pg_class on pg_class.oid = relation
  where pid = pg_backend_pid() and locktype = 'relation' and relation::text = any($1::text[]) and relname <> 'migrations'
    and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
  group by relname order by relname`
