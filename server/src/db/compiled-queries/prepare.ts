import type { Compilable, CompiledQuery, DialectAdapter } from 'kysely'
import type { Database } from '../schema.ts'
import type { Db, ReadDb } from './handle.ts'
import type { Statement } from './together.ts'

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
 * (decision 0008). `build` is called once, with placeholders: it must not depend on the values of the parameters.
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

/** Prepares the insertion of rows that all have the same columns. */
export function prepareInsert<T extends keyof Database>(table: T): PreparedInsert<Database[T]> {
  const byShape = new Map<string, ReturnType<typeof filling<object, unknown>>>()
  const prepared = (rows: readonly Database[T][]) => {
    const names = Object.keys(rows[0] ?? {})
    const shape = `${rows.length} ${names.join()}`
    let run = byShape.get(shape)
    if (!run) {
      const places = rows.map((_, i) =>
        Object.fromEntries(names.map((name) => [name, new Placeholder(`${i} ${name}`)])),
      )
      run = filling((handle) => handle.insertInto<keyof Database>(table).values(places as never))
      byShape.set(shape, run)
    }
    const params: Record<string, unknown> = {}
    for (const [i, row] of rows.entries()) {
      for (const name of names) params[`${i} ${name}`] = row[name as keyof Database[T]]
    }
    return { run, params }
  }
  const insert = async (db: Db, ...rows: Database[T][]) => {
    const { run, params } = prepared(rows)
    await run(db, params)
  }
  return Object.assign(insert, {
    with: (...rows: Database[T][]) => {
      const { run, params } = prepared(rows)
      return run.with(params)
    },
  })
}

/** Takes the place of a parameter in a compiled query. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Parameters whose every member is a placeholder of its name. */
const PLACEHOLDERS = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

let prepared = 0

function filling<P extends object, R>(build: (db: Db, params: P) => Compilable<R>) {
  const byAdapter = new Map<DialectAdapter, CompiledQuery<R>>()
  prepared += 1
  const id = String(prepared)
  const compiled = (handle: ReadDb, params: P): CompiledQuery<R> => {
    const db = handle as Db
    const { adapter } = db.getExecutor()
    let query = byAdapter.get(adapter)
    if (!query) {
      query = build(db, PLACEHOLDERS as P).compile()
      byAdapter.set(adapter, query)
    }
    return { ...query, parameters: query.parameters.map((one) => filled(one, params)) }
  }
  return Object.assign((db: ReadDb, params: P) => (db as Db).executeQuery<R>(compiled(db, params)), {
    with: (params: P): Statement => ({ id, compiled: (db) => compiled(db, params) }),
  })
}

function filled<P extends object>(parameter: unknown, params: P): unknown {
  return parameter instanceof Placeholder ? params[parameter.name as keyof P] : parameter
}
