import { createHash, randomUUID } from 'node:crypto'
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { type Engine, engineOf } from '../../src/db/dialect.ts'
import { FILE, openDatabase } from '../../src/db/open.ts'
import type { ConnectClient } from '../../src/db/postgres/postgres-client.ts'
import { makeUsableAgain, putBack, type UsedAgain } from './used-again.ts'

/** The database of one test, as options of `openDatabase`. */
export type TestDatabase = {
  url: string | undefined
  dataDir: string
  connect?: ConnectClient
  remove(): Promise<void>
}

/**
 * The engine under test: SQLite, or with `VRATA_TEST_DATABASE=postgres` the server at `VRATA_TEST_PG_URL`, on which the
 * tests create databases (`npm test` starts one and sets the variable).
 */
export const testEngine: Engine = process.env.VRATA_TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite'

/**
 * A migrated database without rows of users: a copy of a template that is created once per version of the migrations
 * (architecture §6.3); on PostgreSQL by `CREATE DATABASE … TEMPLATE`.
 */
export async function freshDatabase(): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vrata-test-'))
  if (testEngine === 'sqlite') {
    copyFileSync(await sqliteTemplate(), join(dataDir, FILE))
    return { url: undefined, dataDir, remove: async () => removeFolder(dataDir) }
  }
  const url = await postgresCopy()
  const remove = async () => {
    removeFolder(dataDir)
    await drop(url)
  }
  return { url, dataDir, remove }
}

/** Databases of this process that no test uses. */
const free: UsedAgain[] = []
/** Files of tests start one server after the other, and few start more than this at a time. */
const MOST_FREE = 3

/**
 * Like `freshDatabase`, for a server or a store of a test. On the cluster of `npm test` it can be one that an earlier test of this process
 * has used and closed, with the rows of a fresh one: a copy, its deletion and their connections take 45 ms of CPU time. `connect` makes
 * clients that have the connections of earlier ones.
 */
export async function freshRows(): Promise<TestDatabase> {
  if (testEngine === 'sqlite' || !process.env.VRATA_TEST_PG_TEMPORARY) return await freshDatabase()
  const used = (await firstFree()) ?? (await makeUsableAgain(await postgresCopy()))
  const dataDir = mkdtempSync(join(tmpdir(), 'vrata-test-'))
  let removed = false
  const remove = async () => {
    removeFolder(dataDir)
    if (removed) return
    removed = true
    if (free.length < MOST_FREE) free.push(used)
    else await giveUp(used)
  }
  return { url: used.url, dataDir, connect: used.clients.connect, remove }
}

async function firstFree(): Promise<UsedAgain | undefined> {
  // The one that was used last, whose connections know most statements.
  for (let used = free.pop(); used; used = free.pop()) {
    if (await putBack(used)) return used
    await giveUp(used)
  }
  return undefined
}

async function giveUp({ url, connection, clients }: UsedAgain): Promise<void> {
  await clients.end()
  await connection.end()
  await drop(url)
}

async function drop(url: string): Promise<void> {
  await asAdmin((sql) => sql.unsafe(`drop database if exists ${nameIn(url)} with (force)`))
}

/** A database without tables; of the other engine only in tests that run on PostgreSQL. */
export async function emptyDatabase(engine: Engine = testEngine): Promise<TestDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'vrata-test-'))
  if (engine === 'sqlite') return { url: undefined, dataDir, remove: async () => removeFolder(dataDir) }
  const name = `vrata_${shortId()}`
  await asAdmin((sql) => sql.unsafe(`create database ${name}`))
  const remove = async () => {
    removeFolder(dataDir)
    await asAdmin((sql) => sql.unsafe(`drop database if exists ${name} with (force)`))
  }
  return { url: urlOf(name), dataDir, remove }
}

/** Part of the template's name, so that a changed migration creates a new template. */
function migrationsHash(): string {
  const folder = join(import.meta.dirname, '../../src/db/migrations')
  const hash = createHash('sha256')
  for (const name of readdirSync(folder).sort()) hash.update(readFileSync(join(folder, name)))
  return hash.digest('hex').slice(0, 16)
}

async function sqliteTemplate(): Promise<string> {
  const template = join(tmpdir(), `vrata-template-${migrationsHash()}.sqlite`)
  if (existsSync(template)) return template
  const dataDir = mkdtempSync(join(tmpdir(), 'vrata-template-'))
  await migrated({ dataDir })
  // Closing has merged the WAL into the file; renaming is atomic for concurrent tests.
  renameSync(join(dataDir, FILE), template)
  removeFolder(dataDir)
  return template
}

async function postgresCopy(): Promise<string> {
  const template = `vrata_template_${migrationsHash()}`
  const name = `vrata_${shortId()}`
  await asAdmin(async (sql) => {
    // One at a time: PostgreSQL does not copy a database that has connections.
    await sql`select pg_advisory_lock(4711)`
    const [made] = await sql`select 1 from pg_database where datname = ${template} and datistemplate`
    if (!made) {
      await sql.unsafe(`drop database if exists ${template}`)
      await sql.unsafe(`create database ${template}`)
      await migrated({ url: urlOf(template), dataDir: tmpdir() })
      await sql.unsafe(`alter database ${template} with is_template true`)
    }
    // A third of the work of the default since PostgreSQL 15, which writes each page to the log.
    const [server] = await sql`select current_setting('server_version_num')::int as version`
    const strategy = server?.version >= 150_000 ? 'strategy file_copy' : ''
    await sql.unsafe(`create database ${name} template ${template} ${strategy}`)
    await sql`select pg_advisory_unlock(4711)`
  })
  return urlOf(name)
}

async function migrated(where: { url?: string; dataDir: string }): Promise<void> {
  const store = await openDatabase(where)
  await store.migrate()
  await store.close()
}

function adminUrl(): string {
  const url = process.env.VRATA_TEST_PG_URL
  if (!url || engineOf(url) !== 'postgres') {
    throw new Error('VRATA_TEST_DATABASE=postgres needs VRATA_TEST_PG_URL; `npm run test:pg` sets it')
  }
  return url
}

async function asAdmin(work: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(adminUrl(), { max: 1, onnotice: () => {} })
  try {
    await work(sql)
  } finally {
    await sql.end()
  }
}

function urlOf(name: string): string {
  const url = new URL(adminUrl())
  url.pathname = `/${name}`
  return url.href
}

function nameIn(url: string): string {
  return new URL(url).pathname.slice(1)
}

function shortId(): string {
  return randomUUID().replaceAll('-', '').slice(0, 12)
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
