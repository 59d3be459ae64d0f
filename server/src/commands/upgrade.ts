import { statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openCommandLog } from '../adapters/log.ts'
import type { Config, Settings } from '../config/config.ts'
import { removeRehearsal } from '../db/copy/rehearsal-place.ts'
import { type Rehearsed, rehearseMigrations } from '../db/copy/rehearse.ts'
import { FILE } from '../db/open.ts'
import { untilInterrupted } from '../lib/interruption.ts'
import { openAdapters } from '../main.ts'
import { CommandError } from './command-error.ts'
import { JSON_ONLY, parseCommand, requireNoArguments } from './command-line.ts'

/** `vrata migrate`: applies pending migrations, as the start of a server does. Creates the secret of a new installation. */
export async function migrate(configOf: () => Config, args: string[]): Promise<void> {
  const { values, positionals } = parseCommand(args, JSON_ONLY)
  requireNoArguments(positionals)
  const config = configOf()
  const { store } = await openAdapters(config, openCommandLog(config.log_level))
  const ran = await store.migrate().finally(() => store.close())
  await removeRehearsal({ url: config.database_url, dataDir: config.data_dir })
  if (values.json) return console.log(JSON.stringify({ migrations: ran }))
  console.log(ran.length ? `Applied ${ran.join(', ')}.` : 'The database is up to date.')
}

/** `vrata upgrade --rehearse`: tries the pending migrations on a copy of the database and says how long they take. */
export async function upgrade({ database_url: url, data_dir: dataDir }: Settings, args: string[]): Promise<void> {
  const { values, positionals } = parseCommand(args, { rehearse: { type: 'boolean' }, ...JSON_ONLY })
  requireNoArguments(positionals)
  if (!values.rehearse)
    throw new CommandError('Give --rehearse. The upgrade itself is "vrata migrate", or the start of the new version.', {
      exitCode: 2,
    })
  if (url === undefined) refuseSmallDisk(dataDir)
  const begun = performance.now()
  const migrations = await untilInterrupted((interruption) => rehearseMigrations({ url, dataDir }, interruption))
  if (values.json) {
    console.log(JSON.stringify({ migrations }))
    return
  }
  if (migrations.length === 0) {
    console.log('No migrations are pending: this version starts with the database as it is.')
    return
  }
  const total = migrations.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  for (const one of migrations) console.log(`${one.migration}: ${one.milliseconds} ms; ${locksOf(one)}`)
  console.log(`${migrations.length} migrations in ${total} ms, on a copy that was deleted.`)
  console.log(`Copying took ${Math.round((performance.now() - begun - total) / 1000)} s. The database was not changed.`)
}

function locksOf({ locks }: Rehearsed): string {
  if (locks.length === 0) return 'nobody waits'
  return locks
    .map(({ table, waiting }) =>
      `${table === '*' ? 'all' : ''} ${waiting}${table === '*' ? '' : ` of ${table}`} wait`.trim(),
    )
    .join(', ')
}

/** The copy is in the data folder. */
function refuseSmallDisk(dataDir: string): void {
  const size = statSync(join(dataDir, FILE), { throwIfNoEntry: false })?.size ?? 0
  if (size === 0) return
  const { bavail, bsize } = statfsSync(dataDir)
  if (bavail * bsize < size * 2)
    throw new CommandError(
      `The rehearsal copies the database into ${dataDir} and needs up to ${Math.ceil((size * 2) / 2 ** 20)} MiB there; ${Math.floor((bavail * bsize) / 2 ** 20)} MiB are free.`,
    )
}
