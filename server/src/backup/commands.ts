import { resolve } from 'node:path'
import { openFiles } from '../adapters/media/open-files.ts'
import { CommandError } from '../commands/command-error.ts'
import { onlyArgument, parseCommand } from '../commands/command-line.ts'
import { failureSentence } from '../commands/failure.ts'
import type { Config, Settings } from '../config/config.ts'
import { otherSecrets } from '../config/other-secrets.ts'
import { deleteSecrets, writeSecrets } from '../config/secret-files.ts'
import type { DatabaseLocation } from '../db/copy/snapshot.ts'
import { NotEmpty, OutcomeUnknown } from '../db/copy/target.ts'
import { engineOf } from '../db/dialect.ts'
import { openDatabase } from '../db/open.ts'
import { LAST_BACKUP, upsertSetting } from '../db/settings.ts'
import { untilInterrupted } from '../lib/interruption.ts'
import { type Created, createBackup } from './create-backup.ts'
import { askPassphrase } from './passphrase.ts'
import { restoreBackup } from './restore-backup.ts'
import { restoredSecrets } from './restored-secrets.ts'
import { openSecrets, sealSecrets } from './sealed-secrets.ts'
import { refuseOtherVersions, type Summary, verifyBackup } from './verify-backup.ts'

const FILE_AND_SECRET = { 'with-secret': { type: 'boolean' }, json: { type: 'boolean' } } as const
const JSON_ONLY = { json: { type: 'boolean' } } as const

/** `vrata backup FILE [--with-secret]`. */
export async function backup(config: Config, args: string[]): Promise<void> {
  const { values, file } = fileOf(args, FILE_AND_SECRET)
  const created = await create(config, file, { withSecret: values['with-secret'] === true, compressed: true })
  await noteBackup(config)
  printCreated(file, created, values.json === true)
  if (!values['with-secret'] && !values.json)
    console.log('It does not contain the secret; keep that apart. The restored installation needs both.')
}

/** The file is complete, also when the database cannot note it any more. */
async function noteBackup({ database_url: url, data_dir: dataDir }: Config): Promise<void> {
  try {
    const store = await openDatabase({ url, dataDir })
    await upsertSetting(store.db, LAST_BACKUP, new Date().toISOString()).finally(() => store.close())
  } catch (error) {
    const reason = failureSentence(error) ?? (error as Error).message
    console.error(`The backup is complete, but its time could not be noted for "vrata doctor" and alerts. ${reason}`)
  }
}

/** `vrata export FILE`: the same lines as a backup, not compressed and without the secret. */
export async function exportLines(config: Config, args: string[]): Promise<void> {
  const { values, file } = fileOf(args, JSON_ONLY)
  printCreated(file, await create(config, file, { withSecret: false, compressed: false }), values.json === true)
}

async function create(
  config: Config,
  file: string,
  { withSecret, compressed }: { withSecret: boolean; compressed: boolean },
): Promise<Created> {
  const passphrase = withSecret ? (config.backup_passphrase ?? (await askPassphrase({ twice: true }))) : undefined
  const secrets = passphrase === undefined ? null : sealSecrets([config.secret, ...otherSecrets(config)], passphrase)
  const source = { place: locationOf(config), url: config.url, ...openFiles(config) }
  return await createBackup(source, file, { secrets, compressed })
}

/** `vrata verify FILE`. */
export async function verify(settings: Settings, args: string[]): Promise<void> {
  const { values, file } = fileOf(args, JSON_ONLY)
  const summary = await verifyBackup(file)
  refuseOtherVersions(summary)
  const { secrets } = summary.header
  if (secrets && settings.backup_passphrase) openSecrets(secrets, settings.backup_passphrase)
  if (values.json) return console.log(JSON.stringify(described(file, summary)))
  console.log(`${file} is a complete backup of ${summary.header.url}, made on ${summary.header.created_at}`)
  console.log(`with Vrata ${summary.header.version} from ${ENGINES[summary.database.database]}.`)
  printTables(summary)
  console.log(secretSentence(summary, settings))
}

/** `vrata restore FILE [--to sqlite|postgres]`, and `vrata import FILE`. */
export async function restore(settings: Settings, args: string[]): Promise<void> {
  const { values, file } = fileOf(args, { to: { type: 'string' }, ...JSON_ONLY })
  const place = locationFor(settings, values.to)
  const summary = await verifyBackup(file, { rows: false })
  refuseOtherVersions(summary)
  const ask = async () => settings.backup_passphrase ?? (await askPassphrase({ twice: false }))
  const secrets = await restoredSecrets(settings, summary, ask)
  const destination = { place, ...openFiles(settings) }
  let isWritten = false
  const last = () => {
    if (secrets.length === 0) return
    isWritten = writeSecrets(settings.data_dir, secrets)
    if (!isWritten) throw new CommandError(otherSecret(settings))
  }
  const { migrated } = await untilInterrupted((interruption) =>
    restoreBackup(file, summary, destination, last, interruption),
  ).catch((error) => {
    // Files that another process has created or may use stay: a server may have filled the database meanwhile.
    const isUsed = error instanceof OutcomeUnknown || (error as Error).cause instanceof NotEmpty
    if (isWritten && !isUsed) deleteSecrets(settings.data_dir)
    throw error
  })
  if (values.json) return console.log(JSON.stringify({ ...described(file, summary), migrated }))
  console.log(`Restored into ${ENGINES[engineOf(place.url)]}; every row and every file was compared with the backup.`)
  printTables(summary)
  if (secrets.length > 0) console.log(`The secret was written into ${settings.data_dir}.`)
  if (migrated.length > 0) console.log(`The database was upgraded: ${migrated.join(', ')}.`)
  if (settings.url !== summary.header.url)
    console.log(
      `The backup is of ${summary.header.url}; VRATA_URL is ${settings.url}. Passkeys and apps work at the former address only.`,
    )
}

function otherSecret({ data_dir }: Settings): string {
  return `A server or another restore has created a secret in ${data_dir} meanwhile, so nothing was restored. Stop it, and restore into an empty place.`
}

const ENGINES = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

function locationOf({ database_url, data_dir }: Pick<Settings, 'database_url' | 'data_dir'>): DatabaseLocation {
  return { url: database_url, dataDir: data_dir }
}

/** The place that `--to` names, with the settings of the target. */
function locationFor(settings: Settings, to: string | undefined): DatabaseLocation {
  const place = locationOf(settings)
  if (to === undefined) return place
  if (to === 'sqlite') return { dataDir: place.dataDir }
  if (to !== 'postgres') throw new CommandError('--to must be sqlite or postgres.', { exitCode: 2 })
  if (place.url === undefined)
    throw new CommandError('VRATA_DATABASE_URL: must be the address of the PostgreSQL database for --to postgres.')
  return place
}

function fileOf<O extends NonNullable<Parameters<typeof parseCommand>[1]>>(args: string[], options: O) {
  const { values, positionals } = parseCommand(args, options)
  return { values, file: resolve(onlyArgument(positionals, 'the name of one file')) }
}

function printCreated(file: string, { end: _, ...created }: Created, json: boolean): void {
  if (json) {
    console.log(JSON.stringify({ file, ...created }))
    return
  }
  const { tables, rows, files, bytes, missing, others } = created
  console.log(`${file}: ${tables} tables with ${rows} rows and ${files} files, ${bytes} bytes.`)
  if (missing.length > 0) console.log(`These files do not exist any more: ${missing.join(', ')}`)
  if (others.length > 0) console.log(`These tables do not belong to Vrata and were left out: ${others.join(', ')}`)
}

function described(file: string, { header: { secrets, ...header }, database, tables, end, file_bytes }: Summary) {
  const kept = tables.map(({ name, rows, sha256 }) => ({ name, rows, sha256 }))
  return { file, ...header, ...database, with_secret: secrets !== null, tables: kept, files: end.files, file_bytes }
}

function printTables({ tables, end, file_bytes }: Summary): void {
  const width = Math.max(...tables.map(({ name }) => name.length))
  for (const { name, rows, sha256 } of tables.filter((table) => table.rows > 0))
    console.log(`  ${name.padEnd(width)}  ${String(rows).padStart(9)} rows  ${sha256.slice(0, 16)}`)
  console.log(`${end.rows} rows in ${end.tables} tables, ${end.files} pictures and archives with ${file_bytes} bytes.`)
}

function secretSentence({ header: { secrets } }: Summary, { backup_passphrase }: Settings): string {
  if (!secrets) return 'It does not contain the secret.'
  return backup_passphrase
    ? 'It contains the secret, and VRATA_BACKUP_PASSPHRASE opens it.'
    : 'It contains the secret, encrypted with a passphrase.'
}
