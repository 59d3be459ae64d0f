import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  DummyDriver,
  type Kysely,
  PostgresIntrospector,
  type QueryResult,
  SqliteIntrospector,
  Transaction,
} from 'kysely'
import { adapterOf, compilerOf, type Engine } from '../dialect.ts'
import type { Database } from '../schema.ts'

/** Reads and writes. */
export type Db = Kysely<Database>

/**
 * Reads only: a write does not compile. A `Db` can be passed as a `ReadDb`, so one store function serves a GET and a
 * transaction. (Kysely's `ReadonlyKysely` does not allow that, because it retypes the forbidden methods.)
 */
export type ReadDb = Pick<Db, 'selectFrom' | 'selectNoFrom' | 'fn' | 'case' | 'dynamic'>

/** Runs one compiled query: the whole interface of a driver. */
export type RunQuery = <R>(query: CompiledQuery) => Promise<QueryResult<R>>

/**
 * A Kysely handle over one function, without Kysely's driver and connection pool: it never waits for a connection and never
 * queues, so that statements of one transaction that start together are sent together. Kysely's `transaction()` throws;
 * `store.transaction` is the only one.
 *
 * This folder depends on internals of Kysely 0.29: `Transaction` can be constructed from an executor, `DefaultQueryExecutor`
 * takes a connection provider, `compile()` keeps parameters as they are, and `executeQuery()` sends a compiled query without
 * compiling it again. `kysely-contract.test.ts` fails when one of them changes. Without the folder, replace `makeHandle` by a Kysely
 * dialect and each `prepare` by its query (decision 0012).
 */
export function makeHandle(engine: Engine, run: RunQuery): Db {
  const connection: DatabaseConnection = {
    executeQuery: run,
    streamQuery: () => {
      throw new Error('Streaming is not supported; read page by page, by key')
    },
  }
  const parts = PARTS[engine]
  const executor = new DefaultQueryExecutor(parts.compiler, parts.adapter, {
    provideConnection: (consumer) => consumer(connection),
  })
  const handle = new Transaction<Database>({
    config: { dialect: parts.dialect },
    dialect: parts.dialect,
    driver: DRIVER,
    executor,
  })
  HANDLES.set(handle, { engine, run })
  return handle
}

const HANDLES = new WeakMap<object, { engine: Engine; run: RunQuery }>()

/** Engine and function of a handle: a query that is compiled already needs no executor of Kysely. */
export function partsOfHandle(handle: ReadDb): { engine: Engine; run: RunQuery } {
  const parts = HANDLES.get(handle)
  if (!parts) throw new Error('This handle was not made by makeHandle')
  return parts
}

const DRIVER = new DummyDriver()
const PARTS = { sqlite: partsOf('sqlite'), postgres: partsOf('postgres') }

function partsOf(engine: Engine) {
  const adapter = adapterOf(engine)
  const compiler = compilerOf(engine)
  return {
    adapter,
    compiler,
    dialect: {
      createAdapter: () => adapter,
      createDriver: () => DRIVER,
      createQueryCompiler: () => compiler,
      createIntrospector: (db: Kysely<unknown>) =>
        engine === 'sqlite' ? new SqliteIntrospector(db) : new PostgresIntrospector(db),
    },
  }
}
