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

/** The same for inserting a few whole rows, all of the same columns. */
export function prepareInsert<T extends keyof Database>(table: T): (db: Db, ...rows: Database[T][]) => Promise<void> {
  const byShape = new Map<string, ReturnType<typeof filling<object, unknown>>>()
  return async (db, ...rows) => {
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
    await run(db, params)
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
