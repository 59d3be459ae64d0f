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
import { adapterOf, compilerOf, type Engine } from './dialect.ts'
import type { Database } from './schema.ts'

/** Reads and writes. */
export type Db = Kysely<Database>

/**
 * Reads only: a write does not compile. Every `Db` can be given where a `ReadDb` is wanted, so one store function serves
 * a GET and a transaction (Kysely's own `ReadonlyKysely` refuses that, because it retypes the forbidden methods).
 */
export type ReadDb = Pick<Db, 'selectFrom' | 'selectNoFrom' | 'fn' | 'case' | 'dynamic'>

/** Runs one compiled query; all that a driver has to offer. */
export type RunQuery = <R>(query: CompiledQuery) => Promise<QueryResult<R>>

/**
 * A Kysely handle over one function. It never waits for a connection and never queues, so that statements of one
 * transaction started together travel together. Its own `transaction()` is refused: `store.transaction` is the only one.
 */
export function makeHandle(engine: Engine, run: RunQuery): Db {
  const connection: DatabaseConnection = {
    executeQuery: run,
    streamQuery: () => {
      throw new Error('Reading row by row is not offered; page by key instead')
    },
  }
  const parts = PARTS[engine]
  const executor = new DefaultQueryExecutor(parts.compiler, parts.adapter, {
    provideConnection: (consumer) => consumer(connection),
  })
  return new Transaction<Database>({
    config: { dialect: parts.dialect },
    dialect: parts.dialect,
    driver: DRIVER,
    executor,
  })
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
