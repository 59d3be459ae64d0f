import {
  AliasNode,
  ColumnNode,
  type Compilable,
  type CompiledQuery,
  IdentifierNode,
  type QueryResult,
  type RawBuilder,
  ReferenceNode,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Engine } from '../dialect.ts'
import type { Database } from '../schema.ts'
import { type Db, partsOfHandle, type ReadDb } from './handle.ts'
import type { Guard, Statement } from './together.ts'

/** Values of columns. */
type Value = string | number | null

/** A query that is built and compiled once per engine; each call only fills in its parameters. */
export interface Prepared<P, R> {
  rows(db: ReadDb, params: P): Promise<R[]>
  first(db: ReadDb, params: P): Promise<R | undefined>
  /** Resolves with the number of rows that a write has changed. */
  changed(db: Db, params: P): Promise<number>
  /** The query with its parameters, for `Store.together`. */
  with(params: P): Statement
}

/**
 * Prepares a query that most requests run: building and compiling one costs several times what SQLite needs to answer it
 * (decision 0012). `build` is called once, with placeholders: it must not depend on the values of the parameters.
 */
export function prepare<P extends { [K in keyof P]: Value }, R>(
  build: (db: Db, params: P) => Compilable<R>,
): Prepared<P, R> {
  const run = filling(build)
  return {
    rows: async (db, params) => (await run(db, params)).rows,
    first: async (db, params) => (await run(db, params)).rows[0],
    changed: async (db, params) => Number((await run(db, params)).numAffectedRows ?? 0n),
    with: run.with,
  }
}

/** A prepared insertion: `with` is for `Store.together`. */
export type PreparedInsert<Row> = ((db: Db, ...rows: Row[]) => Promise<void>) & { with(...rows: Row[]): Statement }

/** Gives the value of a column in the database, from the parameters of other columns of the row. */
type Computed<Row> = (parameter: (column: keyof Row) => unknown) => RawBuilder<unknown>

/** Prepares the insertion of rows that all have the same columns; the `computed` ones are not named. */
export function prepareInsert<T extends keyof Database, C extends keyof Database[T] = never>(
  table: T,
  computed: Record<C, Computed<Database[T]>> = {} as Record<C, Computed<Database[T]>>,
): PreparedInsert<Omit<Database[T], C>> {
  const expressions = Object.entries<Computed<Database[T]>>(computed)
  type Rows = readonly Record<string, unknown>[]
  const byShape = new Map<string, Filled<Rows>>()
  const prepared = (rows: Rows) => {
    const names = Object.keys(rows[0] ?? {})
    const shape = `${rows.length} ${names.join()}`
    let run = byShape.get(shape)
    if (!run) {
      const rowValues = rows.map((_, row) => {
        const parameter = (name: PropertyKey) => new Parameter<Rows>((values) => values[row]?.[name as string])
        const own = names.map((name) => [name, parameter(name)])
        return Object.fromEntries([...own, ...expressions.map(([name, value]) => [name, value(parameter)])])
      })
      run = filling((handle) => handle.insertInto<keyof Database>(table).values(rowValues as never))
      byShape.set(shape, run)
    }
    return run
  }
  const insert = async (db: Db, ...rows: Omit<Database[T], C>[]) => {
    await prepared(rows as never)(db, rows as never)
  }
  return Object.assign(insert, {
    with: (...rows: Omit<Database[T], C>[]) => prepared(rows as never).with(rows as never),
  })
}

/**
 * Prepares a guard that holds while a query answers with one row, and this row is equal in all columns to one that is known. So a request can use a
 * row that it has not read itself (decision 0097). It locks nothing. On PostgreSQL it sees the rows from before the other parts of the statement; on
 * SQLite it would see what the guards before it have written.
 */
export function prepareUnchanged<P extends { [K in keyof P]: Value }, Row extends object>(
  build: (db: Db, params: P) => SelectQueryBuilder<Database, never, Row>,
): (params: P, known: Row) => Guard {
  type Both = { params: P; known: Row }
  const params = new Proxy({}, { get: (_, name) => new Parameter<Both>((both) => both.params[name as keyof P]) }) as P
  const run = filling<Both, { holds: SqlBool }>((db) => {
    const query = build(db, params)
    const equal = columnsOf(query).map((column) => {
      const known = new Parameter<Both>((both) => both.known[column as keyof Row])
      return sql<SqlBool>`${sql.ref(`found.${column}`)} is not distinct from ${known}`
    })
    return db.selectFrom(query.as('found')).select((e) => e.and(equal).as('holds'))
  })
  return (params, known) => ({ statement: run.with({ params, known }), missing: false })
}

/** Names of the columns of a query that selects each by its name. Throws when it does not. */
function columnsOf(query: Pick<SelectQueryBuilder<Database, never, object>, 'toOperationNode'>): string[] {
  const { selections = [] } = query.toOperationNode()
  return selections.map(({ selection }) => {
    if (AliasNode.is(selection) && IdentifierNode.is(selection.alias)) return selection.alias.name
    if (ReferenceNode.is(selection) && ColumnNode.is(selection.column)) return selection.column.column.name
    throw new Error('A column of this query has no name.')
  })
}

/** Stands for a parameter in a compiled query, and finds its value. */
class Parameter<P> {
  readonly of: (params: P) => unknown
  constructor(of: (params: P) => unknown) {
    this.of = of
  }
}

/** Parameters whose every member is a parameter of its name. */
const PARAMETERS = new Proxy(
  {},
  { get: (_, name) => new Parameter<Record<PropertyKey, unknown>>((params) => params[name]) },
)

let prepared = 0

interface Filled<P, R = unknown> {
  (db: ReadDb, params: P): Promise<QueryResult<R>>
  with(params: P): Statement
}

function filling<P, R>(build: (db: Db, params: P) => Compilable<R>): Filled<P, R> {
  const byEngine = new Map<Engine, CompiledQuery<R>>()
  prepared += 1
  const id = String(prepared)
  const compiled = (handle: ReadDb, engine: Engine, params: P): CompiledQuery<R> => {
    let query = byEngine.get(engine)
    if (!query) {
      query = build(handle as Db, PARAMETERS as P).compile()
      byEngine.set(engine, query)
    }
    const parameters = query.parameters.map((one) => (one instanceof Parameter ? one.of(params) : one))
    return { sql: query.sql, parameters, query: query.query, queryId: query.queryId }
  }
  const run = (db: ReadDb, params: P) => {
    const handle = partsOfHandle(db)
    return handle.run<R>(compiled(db, handle.engine, params))
  }
  return Object.assign(run, {
    with: (params: P): Statement => ({ id, compiled: (db) => compiled(db, partsOfHandle(db).engine, params) }),
  })
}
