import type { Compilable, CompiledQuery, DialectAdapter } from 'kysely'
import type { Db, ReadDb } from './handle.ts'
import type { Database } from './schema.ts'

/** What a column takes. */
type Value = string | number | null

/** A query that is built and compiled once per engine and then only filled. */
export interface Prepared<P, R> {
  rows(db: ReadDb, params: P): Promise<R[]>
  first(db: ReadDb, params: P): Promise<R | undefined>
  /** How many rows a write has changed. */
  changed(db: Db, params: P): Promise<number>
}

/**
 * For queries of every request: building and compiling one costs several times what SQLite needs to answer it
 * (docs/benchmarks.md). `build` must be the same whatever the parameters are; it may only hand them on to the query.
 */
export function prepare<P extends { [K in keyof P]: Value }, R>(
  build: (db: Db, params: P) => Compilable<R>,
): Prepared<P, R> {
  const run = filling(build)
  return {
    rows: async (db, params) => (await run(db, params)).rows,
    first: async (db, params) => (await run(db, params)).rows[0],
    changed: async (db, params) => Number((await run(db, params)).numAffectedRows ?? 0n),
  }
}

/** The same for inserting whole rows, which have the same columns every time. */
export function prepareInsert<T extends keyof Database>(table: T): (db: Db, row: Database[T]) => Promise<void> {
  const byColumns = new Map<string, ReturnType<typeof filling<object, unknown>>>()
  return async (db, row) => {
    const columns = Object.keys(row).join()
    let run = byColumns.get(columns)
    if (!run) {
      const places = Object.fromEntries(Object.keys(row).map((name) => [name, new Placeholder(name)]))
      run = filling((handle) => handle.insertInto<keyof Database>(table).values(places as never))
      byColumns.set(columns, run)
    }
    await run(db, row)
  }
}

/** Stands where a parameter will be. */
class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Answers a placeholder for whatever name it is asked for. */
const PLACEHOLDERS = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

function filling<P extends object, R>(build: (db: Db, params: P) => Compilable<R>) {
  const compiled = new Map<DialectAdapter, CompiledQuery<R>>()
  return (handle: ReadDb, params: P) => {
    const db = handle as Db
    const { adapter } = db.getExecutor()
    let query = compiled.get(adapter)
    if (!query) {
      query = build(db, PLACEHOLDERS as P).compile()
      compiled.set(adapter, query)
    }
    return db.executeQuery<R>({ ...query, parameters: query.parameters.map((one) => filled(one, params)) })
  }
}

function filled<P extends object>(parameter: unknown, params: P): unknown {
  return parameter instanceof Placeholder ? params[parameter.name as keyof P] : parameter
}
