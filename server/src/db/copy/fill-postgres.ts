import type { TransactionSql } from 'postgres'
import { makeHandle } from '../compiled-queries/handle.ts'
import { isReferenceViolation, lockForMigration } from '../dialect.ts'
import { migrate } from '../migrate.ts'
import { runOn } from '../postgres/statements.ts'
import { arrayLiteral } from './array-literal.ts'
import { openPostgresConnection, readRows, WITHOUT_TIMEOUTS } from './postgres-connection.ts'
import { BATCH } from './snapshot.ts'
import { isEmpty, listTables, quoted, type Value } from './tables.ts'
import { BrokenReference, type FillOptions, NotEmpty, type Target } from './target.ts'

/** Fills the database in one transaction. */
export async function fillPostgres<T>(
  url: string,
  work: (target: Target) => Promise<T>,
  { schema }: FillOptions,
): Promise<T> {
  const sql = openPostgresConnection(url)
  try {
    const value = await sql.begin(async (tx) => {
      await tx.unsafe(WITHOUT_TIMEOUTS)
      if (schema !== undefined)
        await tx.unsafe(`create schema ${quoted(schema)}; set local search_path = ${quoted(schema)}`)
      const db = makeHandle('postgres', (query) => runOn(tx, query))
      // A server that starts meanwhile waits until the database is complete.
      if (schema === undefined) await lockForMigration('postgres', db)
      if (!(await isEmpty('postgres', db))) throw new NotEmpty('The PostgreSQL database has tables.')
      return await work(targetOf(tx))
    })
    return value as T
  } finally {
    await sql.end({ timeout: 5 })
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
      const references = await tx.unsafe<Named[]>(REFERENCES)
      const indexes = await tx.unsafe<Named[]>(INDEXES)
      const drops = [
        ...references.map(({ table, name }) => `alter table ${table} drop constraint ${quoted(name)}`),
        ...indexes.map(({ name }) => `drop index ${quoted(name)}`),
      ]
      await tx.unsafe(drops.join(';'))
      later = [
        ...indexes.map(({ definition }) => definition),
        ...references.map(
          ({ table, name, definition }) => `alter table ${table} add constraint ${quoted(name)} ${definition}`,
        ),
      ]
    },
    async load({ name, columns }, rows) {
      const types = new Map((await tx.unsafe<Named[]>(TYPES_OF, [name])).map((one) => [one.name, one.definition]))
      const arrays = columns.map((column, i) => `$${i + 1}::${types.get(column) ?? 'text'}[]`)
      // One parameter for each column. COPY would be faster, but the driver does not report an error at its end.
      const insert = `insert into ${quoted(name)} (${columns.map(quoted).join(', ')}) select * from unnest(${arrays.join(', ')})`
      for await (const batch of rows) {
        const values = columns.map((_, i) => arrayLiteral(batch.map((row) => row[i] as Value)))
        await tx.unsafe(insert, values, { prepare: true })
      }
    },
    async finish() {
      try {
        await tx.unsafe(later.join(';'))
      } catch (error) {
        if (isReferenceViolation(error)) throw new BrokenReference((error as Error).message, { cause: error })
        throw error
      }
      await tx.unsafe(`analyze ${(await tables()).map(({ name }) => quoted(name)).join(', ')}`)
    },
    rows: (table) => readRows(tx, table, BATCH),
  }
}

type Named = { table: string; name: string; definition: string }

const REFERENCES = `
  select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`

/** Without those of primary keys and unique constraints. */
const INDEXES = `
  select indrelid::regclass::text as table, relname as name, pg_get_indexdef(indexrelid) as definition
  from pg_index join pg_class on pg_class.oid = indexrelid
  where relnamespace = current_schema()::regnamespace
    and not exists (select 1 from pg_constraint where conindid = indexrelid)`

/** Names and types of the columns of a table. */
const TYPES_OF = `
  select '' as table, attname as name, format_type(atttypid, null) as definition
  from pg_attribute where attrelid = $1::text::regclass and attnum > 0 and not attisdropped`
