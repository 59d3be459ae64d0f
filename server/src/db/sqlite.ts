import { type BigIntStats, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { CompiledQuery, QueryResult } from 'kysely'
import { LRUCache } from 'lru-cache'
import { rowsWith, type ToRow } from './compiled-queries/rows.ts'

/** Most prepared statements that a connection keeps. */
const STATEMENTS = 400

/** `toRow`: of a statement that answers arrays. The objects that node:sqlite makes take V8 longer (decision 0009). */
type Prepared = { statement: StatementSync; answersRows: boolean; toRow: ToRow | undefined }

/** One connection to the file. node:sqlite works synchronously, so a statement is done when `run` returns. */
export class SqliteConnection {
  readonly #file: string
  readonly #opened: BigIntStats
  readonly #database: DatabaseSync
  readonly #prepared = new LRUCache<string, Prepared>({ max: STATEMENTS })

  constructor(file: string, role: 'writer' | 'reader' | 'loader') {
    if (role !== 'reader') createPrivately(file)
    this.#file = file
    this.#opened = statSync(file, { bigint: true })
    this.#database = naming(file, () => {
      const database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: BUSY_TIMEOUT })
      for (const pragma of [...PRAGMAS.both, ...PRAGMAS[role]]) database.exec(`pragma ${pragma}`)
      if (role === 'writer') database.exec(`pragma cache_size = -${writerCache(statSync(file).size)}`)
      return database
    })
    this.#database.enableDefensive(true)
    this.refuseOtherFile()
  }

  /**
   * Throws when the file was moved away, deleted or replaced: SQLite continues with the former one, and writes acknowledged in it would be missing after the
   * next start.
   */
  refuseOtherFile(): void {
    if (!this.isInPlace) throw new OtherFile(this.#file)
  }

  /** Whether the file that was opened is still at its place. */
  get isInPlace(): boolean {
    const { dev, ino } = statSync(this.#file, { bigint: true, throwIfNoEntry: false }) ?? { dev: -1n, ino: -1n }
    return dev === this.#opened.dev && ino === this.#opened.ino
  }

  /** False after SQLite itself has rolled back, as it does when the disk is full. */
  get inTransaction(): boolean {
    return this.#database.isTransaction
  }

  run<R>(query: CompiledQuery): QueryResult<R> {
    return this.execute<R>(query.sql, query.parameters)
  }

  execute<R>(sql: string, parameters: readonly unknown[] = []): QueryResult<R> {
    const { statement, answersRows, toRow } = this.#prepare(sql)
    if (answersRows) {
      const rows = statement.all(...(parameters as string[])) as unknown[]
      return { rows: (toRow ? rows.map((row) => toRow(row as unknown[])) : rows) as R[] }
    }
    return { rows: [], numAffectedRows: BigInt(statement.run(...(parameters as string[])).changes) }
  }

  /** Reads rows as arrays, one at a time. */
  *iterate(sql: string): Generator<(string | number | null)[]> {
    const statement = this.#database.prepare(sql)
    statement.setReturnArrays(true)
    yield* statement.iterate() as Iterable<unknown> as Iterable<(string | number | null)[]>
  }

  /** Runs a statement without an answer once for each row. */
  runEach(sql: string, rows: Iterable<(string | number | null)[]>): void {
    const statement = this.#database.prepare(sql)
    for (const row of rows) statement.run(...row)
  }

  close(): void {
    this.#prepared.clear()
    this.#database.close()
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    const names = statement.columns().map(({ name }) => name)
    const toRow = ALL_COLUMNS.test(sql) ? undefined : rowsWith(names)
    statement.setReturnArrays(toRow !== undefined)
    const made = { statement, answersRows: names.length > 0, toRow }
    this.#prepared.set(sql, made)
    return made
  }
}

/** SQLITE_CANTOPEN: also of a file beside the database, such as one that belongs to another user. */
const CANNOT_OPEN = 14

/** Opens a database. SQLite does not say in its errors which one. */
function naming<T>(file: string, open: () => T): T {
  try {
    return open()
  } catch (error) {
    const { errcode = 0, message } = error as Error & { errcode?: number }
    const files = (errcode & 0xff) === CANNOT_OPEN ? `${file}, or one that ends in -wal or -shm beside it` : file
    throw Object.assign(error as Error, { message: `${files}: ${message}` })
  }
}

/** The file at this path was deleted or replaced. */
export class OtherFile extends Error {
  override name = 'OtherFile'
  constructor(file: string) {
    super(`${file} was moved, deleted or replaced while the server runs; put it back, or restart the server`)
  }
}

/** With `*`, except in `count(*)`, a statement may answer other columns after another process has migrated the database. */
const ALL_COLUMNS = /(?<!count\()\*/

/**
 * Milliseconds for which a statement waits for another process (the command line, a backup). Short, because the wait
 * blocks the event loop; the queue of writers waits longer, without blocking.
 */
const BUSY_TIMEOUT = 100

/** KiB of page cache, and bytes of the file for each of its bytes. */
const CACHE = { least: 8 * 1024, most: 48 * 1024, share: 64 }

/**
 * KiB of page cache of the connection that writes and answers nearly all reads (decision 0009), by the size of the file in bytes when it is
 * opened: what the same number of people use is spread over more pages of a larger file (decision 0125).
 */
export function writerCache(size: number): number {
  return Math.min(Math.max(Math.round(size / CACHE.share / 1024), CACHE.least), CACHE.most)
}

const PRAGMAS = {
  both: [
    'trusted_schema = off',
    'temp_store = memory',
    // Memory-mapped reading stays off: an I/O error would kill the process instead of failing a query.
    'mmap_size = 0',
  ],
  writer: [
    'journal_mode = wal',
    // An acknowledged write survives the loss of power, not only of the process (security §20.2).
    'synchronous = full',
    'journal_size_limit = 67108864',
  ],
  reader: ['query_only = on', 'cache_size = -4096'],
  // Fills a new file that is deleted when this fails, and flushed to the disk before it gets its name.
  loader: ['journal_mode = memory', 'synchronous = off', 'foreign_keys = off', 'cache_size = -131072'],
}

/** No other user of the machine reads the accounts; SQLite gives the log files the mode of the database. */
function createPrivately(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, '', { flag: 'a', mode: 0o600 })
}
