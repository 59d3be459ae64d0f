import * as f from '@vrata/contract/fields'
import { parseCommand, requireNoArguments, wrongOption } from '../commands/command-line.ts'
import { openExisting } from '../commands/with-deps.ts'
import type { Config } from '../config/config.ts'
import { otherSecrets } from '../config/other-secrets.ts'
import { inspectDatabase } from '../db/inspect.ts'
import { migrations } from '../db/migrations/index.ts'
import { causeMessage, errorMessage } from '../lib/error-message.ts'
import { within } from '../lib/waiting/within.ts'
import { checkSecret, openMailer } from '../main.ts'
import { describeCertificate } from './certificate.ts'
import * as checks from './checks.ts'
import { checkClientAddress } from './client-address.ts'
import { readDiskSpace } from './disk-space.ts'
import { describeHash } from './password-hash.ts'

/** Milliseconds for each check, such as one of a file whose disk is away. Those that ask other servers give up sooner. */
const PATIENCE = 60_000

/** The answer of one check. */
type Checked = { check: string; ok: boolean; says: string }

/**
 * `vrata doctor`: checks settings, database, secret, disk, certificates, mail and backups without starting the server;
 * exits with 1 when a check fails. With `--mail ADDRESS` it sends a test mail, with `--hash` it measures password hashes.
 */
export async function doctor(
  config: Config,
  args: string[] = [],
  env: NodeJS.ProcessEnv = process.env,
  patience = PATIENCE,
): Promise<void> {
  const { values, positionals } = parseCommand(args, {
    mail: { type: 'string' },
    hash: { type: 'boolean' },
    json: { type: 'boolean' },
  })
  requireNoArguments(positionals)
  if (values.mail !== undefined && !f.email.safeParse(values.mail).success) throw wrongOption('mail', values.mail)
  const all: Checked[] = []
  const check = async (name: string, probe: () => string | Promise<string>) => {
    const late = () => new Error(`no answer for ${patience / 1000} seconds; is the disk or the server away?`)
    const checked = await within(patience, Promise.resolve().then(probe), late).then(
      (says) => ({ check: name, ok: true, says }),
      (error) => ({ check: name, ok: false, says: error instanceof Error ? causeMessage(error) : String(error) }),
    )
    all.push(checked)
    if (!values.json) console.log(`${checked.ok ? 'ok   ' : 'wrong'} ${name}: ${checked.says}`)
  }
  await check('settings', () => checks.checkSettings(env))
  await check('address', () => checks.checkAddress(config))
  await check('proxies', () => checks.checkProxies(config))
  for (const origin of httpsOrigins(config)) await check('certificate', () => describeCertificate(origin))
  await check('disk', async () => checks.checkDisk(config, await readDiskSpace(config.data_dir)))
  await check('files', () => checks.checkFiles(config))
  await checkStored(config, check)
  await check('mail', async () => {
    const mailer = openMailer(config)
    return await checks.checkMail(config, mailer, values.mail).finally(() => mailer.close())
  })
  await check('metrics', () => checks.checkMetrics(config))
  await check('client certificates', () => checks.checkClientCertificates(config))
  await check('locations', () => checks.checkLocations(config))
  if (values.hash) await check('password hash', () => describeHash(config))
  const ok = all.every((one) => one.ok)
  if (values.json) console.log(JSON.stringify({ ok, checks: all }))
  process.exitCode = ok ? 0 : 1
}

type Check = (name: string, probe: () => string | Promise<string>) => Promise<void>

/** The checks that need the database. When it cannot be opened, that is their only line. */
async function checkStored(config: Config, check: Check): Promise<void> {
  // The checks say what the log would.
  const opened = await openExisting({ ...config, log_level: 'silent' }).catch((error: Error) => error)
  if (opened instanceof Error) {
    await check('database', () => {
      throw new Error(`${errorMessage(opened)}${config.database_url ? '; see VRATA_DATABASE_URL' : ''}`, {
        cause: opened,
      })
    })
    return
  }
  const { adapters, store } = opened
  try {
    const facts = await inspectDatabase(store.engine, store.db)
    await check('database', () => {
      if (facts.problems.length > 0) throw new Error(`${facts.version}; ${facts.problems.join('; ')}`)
      return facts.version
    })
    const { replica } = store
    if (replica) await check('replica', () => checks.checkReplica(replica))
    await check('clock', () => checks.checkClock(facts))
    const pending = await store.pendingMigrations()
    await check('migrations', () => checks.checkMigrations(pending, Object.keys(migrations).length))
    if (pending.length > 0) return
    await check('secret', async () => {
      await checkSecret(adapters, store)
      return otherSecrets(config).length > 0
        ? 'matches the database; another one is accepted until "vrata secret rotate --finish"'
        : 'matches the database'
    })
    for (const origin of new Set([config.url, config.api_url]))
      await check('client address', () => checkClientAddress(config, origin, { db: store.db, clock: adapters.clock }))
    await check('backup', async () => checks.checkBackup(config, await checks.readBackupFacts(store.db)))
  } catch (error) {
    await check('database', () => Promise.reject(error))
  } finally {
    await store.close()
  }
}

function httpsOrigins({ url, api_url, mtls }: Config): string[] {
  const origins = [url, api_url, mtls?.url].filter((origin) => origin?.startsWith('https:')) as string[]
  return [...new Set(origins)]
}
