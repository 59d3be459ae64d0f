import { sql } from 'kysely'
import type { Db, ReadDb } from './compiled-queries/handle.ts'
import type { Engine } from './dialect.ts'

/** Facts about a database for operators. */
export type DatabaseFacts = {
  /** For example `PostgreSQL 17.2` or `SQLite 3.50.4, journal wal`. */
  version: string
  /** Settings that lose data or are not supported, as sentences. */
  problems: string[]
  /** Time of the database's machine; undefined when it is this one. */
  now: Date | undefined
}

/** Oldest major version of PostgreSQL that the tests run on. */
const OLDEST_POSTGRES = 15

/** Reads these facts from the database. */
export async function inspectDatabase(engine: Engine, db: Db): Promise<DatabaseFacts> {
  return engine === 'sqlite' ? await inspectSqlite(db) : await inspectPostgres(db)
}

async function inspectSqlite(db: Db): Promise<DatabaseFacts> {
  const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(db)
  const journal = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(db)
  const mode = journal.rows[0]?.journal_mode ?? ''
  const problems = mode === 'wal' ? [] : [`journal_mode is ${mode}; the file system does not support wal`]
  return { version: `SQLite ${rows[0]?.version}, journal ${mode}`, problems, now: undefined }
}

/** The time of the database's machine; undefined when it is this one. Rejects when the database does not answer. */
export async function databaseTime(engine: Engine, db: ReadDb): Promise<Date | undefined> {
  const { now } = await db.selectNoFrom((engine === 'sqlite' ? sql.lit('') : NOW).as('now')).executeTakeFirstOrThrow()
  return now === '' ? undefined : new Date(Number(now))
}

/** Milliseconds since 1970. */
const NOW = sql<string>`(extract(epoch from clock_timestamp()) * 1000)::text`

type PostgresRow = {
  version: string
  number: string
  fsync: string
  full_page_writes: string
  synchronous_commit: string
  encoding: string
  now: string
}

async function inspectPostgres(db: Db): Promise<DatabaseFacts> {
  const { rows } = await sql<PostgresRow>`select
    current_setting('server_version') as version, current_setting('server_version_num') as number,
    current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
    current_setting('synchronous_commit') as synchronous_commit, current_setting('server_encoding') as encoding,
    ${NOW} as now`.execute(db)
  const { version, number, encoding, now, ...durable } = rows[0] as PostgresRow
  const problems = Object.entries(durable)
    .filter(([, value]) => value === 'off')
    .map(([setting]) => `${setting} is off; acknowledged changes can be lost`)
  if (encoding !== 'UTF8') problems.push(`the encoding is ${encoding} and not UTF8`)
  if (Number(number) < OLDEST_POSTGRES * 10_000) problems.push(`versions before ${OLDEST_POSTGRES} are not supported`)
  return { version: `PostgreSQL ${version}`, problems, now: new Date(Number(now)) }
}

/** Bytes of the database: of its file, or as PostgreSQL counts them. */
export async function databaseBytes(engine: Engine, db: Db): Promise<number> {
  if (engine === 'postgres') {
    const { rows } = await sql<{ bytes: string }>`select pg_database_size(current_database())::text as bytes`.execute(
      db,
    )
    return Number(rows[0]?.bytes)
  }
  const pages = await sql<{ page_count: number }>`pragma page_count`.execute(db)
  const size = await sql<{ page_size: number }>`pragma page_size`.execute(db)
  return Number(pages.rows[0]?.page_count) * Number(size.rows[0]?.page_size)
}
