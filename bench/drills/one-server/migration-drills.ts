import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../../scripts/run-command.ts'
import { type Postgres, startPostgres } from '../../../scripts/suites/postgres.ts'
import { migrate } from '../../../server/src/db/migrate.ts'
import { migrations } from '../../../server/src/db/migrations/index.ts'
import { openDatabase } from '../../../server/src/db/open.ts'
import { onPostgres, onSqlite } from '../../scale/databases.ts'
import type { OneServerDrill, Outcome } from './one-server.ts'

const NAMES = Object.keys(migrations)
const PROGRAM = join(import.meta.dirname, 'migrate-and-die.ts')

export const MIGRATION_DRILLS: Record<string, OneServerDrill> = {
  'migration-killed': {
    says: 'an upgrade is killed after each change of each migration and started again, on SQLite (SIGKILL)',
    run: () => killedUpgrade(),
  },
  'migration-killed-postgres': {
    says: 'the same on PostgreSQL',
    async run() {
      const postgres = await startPostgres()
      try {
        return await killedUpgrade(postgres)
      } finally {
        await postgres.stop()
      }
    },
  },
}

async function killedUpgrade(postgres?: Postgres): Promise<Outcome> {
  const { kills, half, isComplete } = await killAtEveryStep(postgres)
  const wanted = {
    'never half a migration': half === 0,
    'all migrations have run in the end': isComplete,
    'every migration was killed': kills > NAMES.length,
  }
  return { seen: { migrations: NAMES.length, kills, half_done: half }, wanted }
}

/** A new database, with its schema as a text. */
async function newDatabase(postgres: Postgres | undefined, name: string) {
  const dataDir = mkdtempSync(join(tmpdir(), 'vrata-migrated-'))
  if (postgres) await onPostgres(postgres.url, `create database ${name}`)
  const url = postgres?.url.replace(/[^/]*$/, name)
  const run = (text: string) => (url ? onPostgres(url, text) : onSqlite(join(dataDir, 'vrata.sqlite'), text))
  const schema = async () =>
    (await run(url ? POSTGRES_SCHEMA : SQLITE_SCHEMA)).map((row) => JSON.stringify(row)).join('\n')
  const applied = async () => {
    const exists = (await schema()).includes('migrations')
    return exists ? (await run('select name from migrations order by name')).length : 0
  }
  return { dataDir, url, schema, applied, remove: () => rmSync(dataDir, { recursive: true, force: true }) }
}

const SQLITE_SCHEMA = 'select type, name, sql from sqlite_master order by type, name'
const POSTGRES_SCHEMA = `
  select 'column' as kind, table_name || '.' || column_name as name,
    concat_ws(' ', data_type, is_nullable, column_default, collation_name) as definition
  from information_schema.columns where table_schema = 'public'
  union all select 'index', indexname, indexdef from pg_indexes where schemaname = 'public'
  union all select 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
    from pg_constraint where connamespace = 'public'::regnamespace
  order by 1, 2, 3`

/** Kills migrations until they are complete; counts how often the schema is not that of a number of whole ones. */
async function killAtEveryStep(postgres?: Postgres) {
  const whole = await schemasOf(postgres)
  const made = await newDatabase(postgres, 'killed')
  let [kills, half, before] = [0, 0, 0]
  try {
    for (let after = 1; await dies(made, after); after += 1) {
      kills += 1
      const applied = await made.applied()
      if (applied < before || (await made.schema()) !== whole[applied]) half += 1
      // The next migration has been killed after its first statement.
      if (applied > before) after = 1
      before = applied
    }
    return { kills, half, isComplete: (await made.schema()) === whole.at(-1) }
  } finally {
    made.remove()
  }
}

/** The schema after so many migrations; none at the beginning. */
async function schemasOf(postgres?: Postgres): Promise<string[]> {
  const made = await newDatabase(postgres, 'whole')
  const store = await openDatabase(made)
  const schemas = [await made.schema()]
  for (const name of NAMES) {
    await migrate(store.engine, store.transaction, [name])
    schemas.push(await made.schema())
  }
  await store.close()
  made.remove()
  return schemas
}

async function dies({ dataDir, url }: { dataDir: string; url: string | undefined }, after: number): Promise<boolean> {
  const args = [PROGRAM, dataDir, String(after), ...(url ? [url] : [])]
  // Hundreds of processes: compiled modules are kept.
  const env = { ...process.env, NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node') }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code, signal] = await once(child, 'exit')
  if (signal !== 'SIGKILL' && code !== 0) throw new Error(`the migration ended with ${code ?? signal}`)
  return signal === 'SIGKILL'
}
