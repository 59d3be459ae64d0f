import type { Db } from '../compiled-queries/handle.ts'
import { currentSchema, type Engine } from '../dialect.ts'

/** A value of a column: columns are text and integer only (decision 0012). */
export type Value = string | number | null
export type Row = Value[]

/** A table with its columns in the order in which its rows are read. */
export type TableShape = { name: string; columns: string[] }

/** Bookkeeping of `migrate`; a copy has its own. */
const BOOKKEEPING = 'migrations'

/** Tables of the database, without that of the migrations; an empty list when it has none. */
export async function listTables(engine: Engine, db: Db): Promise<TableShape[]> {
  const schema = await currentSchema(engine, db)
  const tables = await db.introspection.getTables()
  return tables
    .filter((table) => !table.isView && table.name !== BOOKKEEPING && (schema === undefined || table.schema === schema))
    .map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Whether the database has no table yet. */
export async function isEmpty(engine: Engine, db: Db): Promise<boolean> {
  const schema = await currentSchema(engine, db)
  const tables = await db.introspection.getTables()
  return !tables.some((table) => schema === undefined || table.schema === schema)
}

/** Quotes a name for SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Statement that reads all rows of a table, with its columns in their order. */
export function selectAll({ name, columns }: TableShape): string {
  return `select ${columns.map(quoted).join(', ')} from ${quoted(name)}`
}
