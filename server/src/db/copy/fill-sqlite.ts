import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { flushFolderSync } from '../../lib/flush-folder.ts'
import { makeHandle } from '../compiled-queries/handle.ts'
import { isBusy } from '../dialect.ts'
import { migrate } from '../migrate.ts'
import { FILE } from '../open.ts'
import { OtherFile, SqliteConnection } from '../sqlite.ts'
import { isEmpty, listTables, quoted, selectAll } from './tables.ts'
import { BrokenReference, NotEmpty, type Target } from './target.ts'

/** Fills a new file beside the database, which gets its name when it is complete and on the disk. */
export async function fillSqlite<T>(dataDir: string, work: (target: Target) => Promise<T>): Promise<T> {
  const file = join(dataDir, FILE)
  const part = `${file}.part`
  await refuseTables(file)
  removeFormer(part)
  const connection = openPart(part)
  try {
    const value = await work(targetOf(connection))
    connection.execute('commit')
    flush(part)
    await refuseTables(file)
    if (!connection.isInPlace) throw otherCommand(part)
    removeAll(file)
    renameSync(part, file)
    try {
      flushFolderSync(dataDir)
    } catch (error) {
      // Reported as a failure, after which the caller removes what belongs to it.
      removeAll(file)
      throw error
    }
    return value
  } finally {
    if (connection.isInPlace) removeAll(part)
    connection.close()
  }
}

/**
 * Creates the new file and locks it until the connection is closed. Another command that began at the same moment may have locked or filled it before, or removed it in
 * between.
 */
function openPart(part: string): SqliteConnection {
  let connection: SqliteConnection | undefined
  try {
    connection = new SqliteConnection(part, 'loader')
    connection.execute('begin exclusive')
    // The lock stays after the commit. Without it, another command would treat the complete file as a leftover.
    connection.execute('pragma locking_mode = exclusive')
    if (!connection.isInPlace || statSync(part).size > 0) throw otherCommand(part)
    return connection
  } catch (error) {
    connection?.close()
    throw isBusy(error) || error instanceof OtherFile ? otherCommand(part, error) : error
  }
}

function otherCommand(part: string, cause?: unknown): NotEmpty {
  return new NotEmpty(`Another command fills ${part}.`, { cause })
}

function targetOf(connection: SqliteConnection): Target {
  const db = makeHandle('sqlite', async (query) => connection.run(query))
  const tables = () => listTables('sqlite', db)
  const execute = (sql: string) => connection.execute<{ name: string; sql: string }>(sql).rows
  let indexes: string[] = []
  return {
    tables,
    migrate: (names) => migrate('sqlite', (work) => work({ db, after: () => {} }), names),
    async clear() {
      for (const { name } of await tables()) execute(`delete from ${quoted(name)}`)
    },
    async prepare() {
      const made = execute(`select name, sql from sqlite_master where type = 'index' and sql is not null`)
      for (const { name } of made) execute(`drop index ${quoted(name)}`)
      indexes = made.map(({ sql }) => sql)
    },
    async load({ name, columns }, rows) {
      const marks = columns.map(() => '?').join(', ')
      const insert = `insert into ${quoted(name)} (${columns.map(quoted).join(', ')}) values (${marks})`
      for await (const batch of rows) connection.runEach(insert, batch)
    },
    async finish() {
      for (const sql of indexes) execute(sql)
      const [broken] = connection.iterate('pragma foreign_key_check')
      if (broken)
        throw new BrokenReference(`A row of ${broken[0]} refers to a row of ${broken[2]} that does not exist.`)
    },
    async each(table, take) {
      for (const row of connection.iterate(selectAll(table))) take(row)
    },
  }
}

/** A file without tables is left by a command that has only looked. */
async function refuseTables(file: string): Promise<void> {
  if (!existsSync(file)) return refuseChanges(`${file}-wal`)
  const connection = new SqliteConnection(file, 'reader')
  try {
    const db = makeHandle('sqlite', async (query) => connection.run(query))
    if (!(await isEmpty('sqlite', db))) throw new NotEmpty(`${file} is a database with tables.`)
  } finally {
    connection.close()
  }
}

/** A database that was moved away without this file, or while a server uses it, has its last changes here only. */
function refuseChanges(wal: string): void {
  if (statSync(wal, { throwIfNoEntry: false })?.size)
    throw new NotEmpty(
      `${wal} has the last changes of a database that was moved away; stop the server, and move it, too.`,
    )
}

/** Removes the file of a command that was killed, which has no lock and may be damaged. Throws when another command fills it. */
function removeFormer(part: string): void {
  if (existsSync(part)) {
    try {
      const connection = new SqliteConnection(part, 'loader')
      try {
        connection.execute('begin exclusive')
      } finally {
        connection.close()
      }
    } catch (error) {
      if (isBusy(error)) throw otherCommand(part, error)
    }
  }
  removeAll(part)
}

function removeAll(file: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(file + ending, { force: true })
}

function flush(file: string): void {
  const descriptor = openSync(file, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
