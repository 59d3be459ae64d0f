import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { isBusy, REHEARSAL } from '../dialect.ts'
import { SqliteConnection } from '../sqlite.ts'
import { longTransaction, openPostgresConnection, WITHOUT_TIMEOUTS } from './postgres-connection.ts'
import type { DatabaseLocation } from './snapshot.ts'
import { quoted } from './tables.ts'

/** Another command rehearses with the same database. */
export class OtherRehearsal extends Error {
  override name = 'OtherRehearsal'
}

/** PostgreSQL was lost before the copy of a rehearsal was deleted. */
export class CopyLeft extends Error {
  override name = 'CopyLeft'
  constructor(cause: unknown) {
    super(
      `PostgreSQL was lost and does not answer: the copy of the database may be left in the schema ${REHEARSAL}, until the next rehearsal or "vrata migrate" deletes it.`,
      { cause },
    )
  }
}

/** Beside the database, so that the time is that of its disk. */
const folderIn = (dataDir: string) => join(dataDir, 'rehearsal')
/** Locked while a command uses the folder. */
const LOCK = 'lock'
/** An arbitrary number, the same in every version of the program; locked while a command uses the schema. */
const SCHEMA_LOCK = 7_283_642

/**
 * Runs `work` with an empty folder for a copy of the database of SQLite, and deletes the folder. One that was killed has left its copy, which is
 * deleted first. Throws `OtherRehearsal`.
 */
export async function inRehearsalFolder<T>(dataDir: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = folderIn(dataDir)
  const lock = lockIn(folder)
  try {
    for (const name of readdirSync(folder)) if (name !== LOCK) rmSync(join(folder, name), { recursive: true })
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    lock.close()
  }
}

/** The same for a schema of PostgreSQL, which does not exist when `work` begins. */
export async function inRehearsalSchema<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const left: CopyLeft[] = []
  const worked = longTransaction(url, async (holding) => {
    await holding.unsafe(WITHOUT_TIMEOUTS)
    const rows = await holding.unsafe<{ free: boolean }[]>(`select pg_try_advisory_xact_lock(${SCHEMA_LOCK}) as free`)
    if (!rows[0]?.free) throw new OtherRehearsal(`Another rehearsal uses the schema ${REHEARSAL}.`)
    const sql = openPostgresConnection(url)
    const drop = () => sql.unsafe(`drop schema if exists ${quoted(REHEARSAL)} cascade`)
    try {
      await drop()
      return await work(sql)
    } finally {
      await drop().catch((error) => left.push(new CopyLeft(error)))
      await sql.end({ timeout: 5 })
    }
  })
  return await worked.finally(() => {
    if (left[0]) throw left[0]
  })
}

/** Deletes the copy of everything that a killed rehearsal has left; nothing while another rehearsal works with one. */
export async function removeRehearsal({ url, dataDir }: DatabaseLocation): Promise<void> {
  const nothing = async () => {}
  try {
    if (url !== undefined) await inRehearsalSchema(url, nothing)
    else if (existsSync(folderIn(dataDir))) await inRehearsalFolder(dataDir, nothing)
  } catch (error) {
    if (!(error instanceof OtherRehearsal)) throw error
  }
}

function lockIn(folder: string): SqliteConnection {
  let lock: SqliteConnection | undefined
  try {
    lock = new SqliteConnection(join(folder, LOCK), 'loader')
    lock.execute('begin exclusive')
    return lock
  } catch (error) {
    lock?.close()
    if (!isBusy(error)) throw error
    throw new OtherRehearsal(`Another rehearsal uses the folder ${folder}.`, { cause: error })
  }
}
