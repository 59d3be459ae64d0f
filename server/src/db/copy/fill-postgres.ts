import { setTimeout as pause } from 'node:timers/promises'
import type { TransactionSql } from 'postgres'
import { makeHandle } from '../compiled-queries/handle.ts'
import { isOutcomeUnknown, isReferenceViolation, lockForMigration } from '../dialect.ts'
import { migrate } from '../migrate.ts'
import { runOn } from '../postgres/statements.ts'
import { copyRows } from './copy-rows.ts'
import { longTransaction, openPostgresConnection, WITHOUT_TIMEOUTS } from './postgres-connection.ts'
import { isEmpty, listTables, quoted, type Row, selectAll } from './tables.ts'
import { BrokenReference, type FillOptions, NotEmpty, OutcomeUnknown, type Target } from './target.ts'

/** Fills the database in one transaction. Throws `OutcomeUnknown` when it is unknown whether the transaction was committed. */
export async function fillPostgres<T>(
  url: string,
  work: (target: Target) => Promise<T>,
  { schema, patience = PATIENCE }: FillOptions,
): Promise<T> {
  const worked: T[] = []
  try {
    await longTransaction(url, async (tx) => {
      await tx.unsafe(WITHOUT_TIMEOUTS)
      await tx.unsafe(ROOM_FOR_INDEXES)
      if (schema !== undefined)
        await tx.unsafe(`create schema ${quoted(schema)}; set local search_path = ${quoted(schema)}`)
      const db = makeHandle('postgres', (query) => runOn(tx, query))
      // A server that starts meanwhile waits until the database is complete.
      if (schema === undefined) await lockForMigration('postgres', db)
      if (!(await isEmpty('postgres', db))) throw new NotEmpty('The PostgreSQL database has tables.')
      worked.push(await work(targetOf(tx)))
    })
  } catch (error) {
    // The answer to the commit was lost.
    const isUnknown = worked.length > 0 && schema === undefined && isOutcomeUnknown(error)
    if (!isUnknown || !(await hasTables(url, error, patience))) throw error
  }
  return worked[0] as T
}

/** Milliseconds for PostgreSQL to say whether a transaction was committed; it may restart meanwhile. */
const PATIENCE = 60_000
/** Milliseconds between two questions. */
const AGAIN = 500

/** Whether the transaction with this error was committed. Waits until it has ended. */
async function hasTables(url: string, cause: unknown, patience: number): Promise<boolean> {
  for (const until = performance.now() + patience; ; await pause(AGAIN)) {
    const sql = openPostgresConnection(url)
    const overdue = setTimeout(() => void sql.end({ timeout: 0 }), until - performance.now())
    try {
      const found = await sql.begin(async (tx) => {
        const db = makeHandle('postgres', (query) => runOn(tx, query))
        await lockForMigration('postgres', db)
        return !(await isEmpty('postgres', db))
      })
      return found
    } catch {
      if (performance.now() + AGAIN > until) throw new OutcomeUnknown({ cause })
    } finally {
      clearTimeout(overdue)
      await sql.end({ timeout: 0 })
    }
  }
}

function targetOf(tx: TransactionSql): Target {
  const db = makeHandle('postgres', (query) => runOn(tx, query))
  const tables = () => listTables('postgres', db)
  let later: string[] = []
  return {
    tables,
    migrate: (names) => migrate('postgres', (work) => work({ db, after: () => {} }), names),
    async clear() {
      await tx.unsafe(`truncate ${(await tables()).map(({ name }) => quoted(name)).join(', ')}`)
    },
    async prepare() {
      const references = await tx.unsafe<Named[]>(constraints("contype = 'f'"))
      const keys = await tx.unsafe<Named[]>(constraints("contype in ('p', 'u')"))
      const indexes = await tx.unsafe<Named[]>(INDEXES)
      const drops = [
        ...[...references, ...keys].map(({ table, name }) => `alter table ${table} drop constraint ${quoted(name)}`),
        ...indexes.map(({ name }) => `drop index ${quoted(name)}`),
      ]
      await tx.unsafe(drops.join(';'))
      const add = ({ table, name, definition }: Named) =>
        `alter table ${table} add constraint ${quoted(name)} ${definition}`
      later = [...keys.map(add), ...indexes.map(({ definition }) => definition), ...references.map(add)]
    },
    load: (table, rows) => copyRows(tx, table, rows),
    async finish() {
      try {
        await tx.unsafe(later.join(';'))
      } catch (error) {
        if (isReferenceViolation(error)) throw new BrokenReference((error as Error).message, { cause: error })
        throw error
      }
      await tx.unsafe(`analyze ${(await tables()).map(({ name }) => quoted(name)).join(', ')}`)
    },
    async each(table, take) {
      // Without a cursor: PostgreSQL sends the next rows while these are taken.
      const rows = tx.unsafe(selectAll(table)).values()
      await rows.forEach((row) => {
        take(row as unknown as Row)
      })
    },
  }
}

/** Kilobytes in which indexes are sorted, unless the operator allows more; the default sorts those of large tables on the disk. */
const ROOM_FOR_INDEXES = `
  select set_config(name, greatest(setting::int, 262144)::text, true) from pg_settings where name = 'maintenance_work_mem'`

type Named = { table: string; name: string; definition: string }

const constraints = (kind: string) => `
  select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where ${kind} and connamespace = current_schema()::regnamespace`

/** Without those of primary keys and unique constraints. */
const INDEXES = `
  select indrelid::regclass::text as table, relname as name, pg_get_indexdef(indexrelid) as definition
  from pg_index join pg_class on pg_class.oid = indexrelid
  where relnamespace = current_schema()::regnamespace
    and not exists (select 1 from pg_constraint where conindid = indexrelid)`
