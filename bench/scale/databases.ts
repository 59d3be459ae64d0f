import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Postgres } from '../../scripts/suites/postgres.ts'
import { connectClient } from '../../server/src/db/postgres/postgres-client.ts'
import { TIMEOUTS } from '../../server/src/db/timeouts.ts'
import { SERVER } from '../targets.ts'

/** Output of `vrata seed --json`. */
export interface SeedFacts {
  seconds: number
  rows: Record<string, number>
  password: string
  client_secret: string
  key: string
}

/** A seeded database and its data folder. */
export interface Seeded {
  users: number
  data: string
  database: Postgres | undefined
  facts: SeedFacts
  /** Runs a command of the server on it; resolves with what it prints. */
  vrata(...args: string[]): string
  /** Runs statements on it. */
  run(sql: string): Promise<Record<string, unknown>[]>
}

/** Opens the seeded database of this size in the folder, and fills it when it does not exist. */
export async function seeded(folder: string, users: number, postgres: Postgres | undefined): Promise<Seeded> {
  const name = `${postgres ? 'postgres' : 'sqlite'}_${users}`
  const data = join(folder, name)
  mkdirSync(data, { recursive: true })
  const database = postgres && { ...postgres, url: postgres.url.replace(/[^/]*$/, name) }
  const env = {
    ...process.env,
    VRATA_DATA_DIR: data,
    ...(database ? { VRATA_DATABASE_URL: database.url } : {}),
  }
  const vrata = (...args: string[]) =>
    execFileSync(process.execPath, [SERVER, ...args], { env, encoding: 'utf8', maxBuffer: 2 ** 26 })
  const run = (sql: string) => (database ? onPostgres(database.url, sql) : onSqlite(join(data, 'vrata.sqlite'), sql))
  const file = join(data, 'seed.json')
  if (!existsSync(file)) {
    // Deletes the rest of an interrupted run.
    for (const rest of readdirSync(data)) rmSync(join(data, rest), { recursive: true })
    if (postgres) {
      await onPostgres(postgres.url, `drop database if exists ${name}`)
      await onPostgres(postgres.url, `create database ${name}`)
    }
    const printed = vrata('seed', '--users', String(users), '--json')
    // Autovacuum does this within a day.
    await run(database ? 'vacuum (analyze, index_cleanup off)' : 'pragma wal_checkpoint(truncate)')
    writeFileSync(file, printed, { mode: 0o600 })
  }
  const facts = JSON.parse(readFileSync(file, 'utf8')) as SeedFacts
  vrata('migrate')
  return { users, data, database, facts, vrata, run }
}

export async function onPostgres(url: string, text: string): Promise<Record<string, unknown>[]> {
  const timeouts = { ...TIMEOUTS, statement: 0, idle_in_transaction: 0 }
  const sql = connectClient(url, { max: 1, timeouts, pooled: false })
  try {
    return [...(await sql.unsafe(text))]
  } finally {
    await sql.end()
  }
}

export async function onSqlite(file: string, sql: string): Promise<Record<string, unknown>[]> {
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(file, { timeout: 10_000 })
  try {
    return database.prepare(sql).all() as Record<string, unknown>[]
  } finally {
    database.close()
  }
}
