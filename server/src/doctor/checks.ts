import { randomUUID } from 'node:crypto'
import type { StatsFs } from 'node:fs'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { describeGeoIpFile } from '../adapters/geoip/geoip.ts'
import type { Mailer } from '../adapters/mail/mail.ts'
import { openFiles } from '../adapters/media/open-files.ts'
import { type Config, unknownSettings } from '../config/config.ts'
import type { DatabaseFacts } from '../db/inspect.ts'
import type { ReadDb } from '../db/open.ts'
import { findSetting, LAST_BACKUP } from '../db/settings.ts'
import { TIMEOUTS } from '../db/timeouts.ts'
import { findOldestAccountTime } from '../features/account/public.ts'
import { isLoopbackUrl } from '../lib/loopback.ts'

/** Checks of `vrata doctor`. Each returns what is right, and throws what is wrong. */

const HOUR = 60 * 60 * 1000
const MIB = 1024 * 1024

/** Most seconds between the clocks of two machines; codes of authenticator apps last 30. */
const SKEW = 2
/** Least free space of the data folder, in MiB. */
const LEAST_FREE = 512
/** Milliseconds for a test mail. */
const MAIL_TIMEOUT = 30_000
/** Hours after which a backup is old, for those who use `vrata backup`. */
const BACKUP_AGE = 8 * 24

export function checkAddress({ url, secure }: Config): string {
  if (!secure && !isLoopbackUrl(url)) throw new Error(`${url} does not use https; passwords would be sent unencrypted`)
  return url
}

/** Without the setting, all people behind the proxy share its address, and its limits. */
export function checkProxies({ trust_proxy, secure, url }: Config): string {
  if (trust_proxy === true)
    throw new Error('VRATA_TRUST_PROXY is true: anybody who reaches the port can pose as any address')
  if (trust_proxy) return `addresses are taken from X-Forwarded-For of ${trust_proxy}`
  if (secure && !isLoopbackUrl(url))
    throw new Error('VRATA_TRUST_PROXY is not set: all people would have the address of the proxy that ends TLS')
  return 'none; the address of the connection counts'
}

export function checkClock({ now }: DatabaseFacts): string {
  const here = new Date()
  if (!now) return `${here.toISOString()}; nothing to compare it with`
  const seconds = Math.abs(now.getTime() - here.getTime()) / 1000
  if (seconds > SKEW) throw new Error(`${seconds.toFixed(1)} seconds apart from the database's; synchronize both (NTP)`)
  return `${here.toISOString()}; the database's is the same`
}

/** Asks where reads for the replica are answered: the primary takes its place while it cannot be used. */
export async function checkReplica(replica: ReadDb): Promise<string> {
  for (let asked = 0; asked < 2; asked += 1) {
    // The first comparison of a busy primary finds every replica behind; the next one comes after the interval.
    if (asked > 0) await pause(TIMEOUTS.replica * 1.5)
    const { standby } = await replica
      .selectNoFrom(sql<boolean>`pg_is_in_recovery()`.as('standby'))
      .executeTakeFirstOrThrow()
    if (standby) return 'lists and statistics are read from it'
  }
  throw new Error(
    'the primary answers in its place: it does not answer, is behind, or is no replica any more; see VRATA_DATABASE_REPLICA_URL',
  )
}

export function checkDisk({ data_dir }: Config, { bavail, blocks, bsize }: StatsFs): string {
  const free = Math.floor((bavail * bsize) / MIB)
  const sentence = `${free} MiB free in ${data_dir} (${Math.floor((100 * bavail) / blocks)} %)`
  if (free < LEAST_FREE) throw new Error(`${sentence}; at least ${LEAST_FREE} MiB are needed`)
  return sentence
}

export type BackupFacts = {
  /** When `vrata backup` last completed a file. */
  last: string | undefined
  /** When the oldest account was created. */
  oldest_account: string | undefined
}

export async function readBackupFacts(db: ReadDb): Promise<BackupFacts> {
  const [last, oldest_account] = await Promise.all([findSetting(db, LAST_BACKUP), findOldestAccountTime(db)])
  return { last, oldest_account }
}

/** Without any backup, what people have done since the first account would be lost. */
export function checkBackup(
  { backups_elsewhere }: Pick<Config, 'backups_elsewhere'>,
  { last, oldest_account }: BackupFacts,
): string {
  if (backups_elsewhere) return 'made by other programs (VRATA_BACKUPS=elsewhere)'
  const since = last ?? oldest_account
  if (since === undefined) return 'none was made with "vrata backup"; there are no accounts yet'
  const hours = Math.floor((Date.now() - new Date(since).getTime()) / HOUR)
  const days = Math.floor(hours / 24)
  const isOld = hours > BACKUP_AGE
  if (last === undefined && isOld)
    throw new Error(
      `none was made with "vrata backup", and there have been accounts for ${days} days; make one, or set VRATA_BACKUPS=elsewhere if another program does`,
    )
  if (last === undefined) return 'none was made with "vrata backup" yet'
  if (isOld) throw new Error(`the last one was made on ${last}, ${days} days ago; make one with "vrata backup"`)
  return `the last one was made on ${last}`
}

/** A misspelled setting would have no effect, without any message. */
export function checkSettings(env: NodeJS.ProcessEnv): string {
  const unknown = unknownSettings(env)
  if (unknown.length === 0) return 'all are known'
  throw new Error(
    `${unknown.join(', ')}: there ${unknown.length === 1 ? 'is no such setting' : 'are no such settings'}`,
  )
}

/** A new database lacks all migrations. */
export function checkMigrations(pending: readonly string[], all: number): string {
  if (pending.length === 0) return 'up to date'
  const names = pending.length > 3 ? `${pending[0]} to ${pending.at(-1)}` : pending.join(', ')
  const empty = pending.length === all ? 'the database is empty: ' : ''
  throw new Error(`${empty}${names} pending; start the server, or run "vrata migrate"`)
}

/** Sends a mail when there is an address, and otherwise says where mails go. */
export async function checkMail(config: Config, mailer: Mailer, to: string | undefined): Promise<string> {
  const place = config.smtp_url ? new URL(config.smtp_url).host : `written to ${config.data_dir}/outbox`
  if (!config.smtp_url && !isLoopbackUrl(config.url))
    throw new Error(`VRATA_SMTP_URL is not set: mails reach nobody, and are ${place}`)
  if (to === undefined) return place
  const { host, hostname } = new URL(config.url)
  const text = `This is a test mail of ${config.url}, sent by "vrata doctor". Mails of this installation arrive here.`
  const mail = { to, subject: `Test mail of ${host}`, text, html: `<p>${text}</p>`, link: config.url }
  const signal = AbortSignal.timeout(MAIL_TIMEOUT)
  await mailer.send({ ...mail, message_id: `<${randomUUID()}@${hostname}>` }, signal).catch((cause: Error) => {
    const reason = signal.aborted ? `no answer within ${MAIL_TIMEOUT / 1000} seconds` : cause.message
    if (!config.smtp_url) throw new Error(`a test mail was not ${place}: ${reason}`, { cause })
    throw new Error(`${place} has not accepted a test mail to ${to}: ${reason}; see VRATA_SMTP_URL`, { cause })
  })
  return config.smtp_url ? `${place} has accepted a test mail to ${to}` : place
}

/** Writes a file into the store of pictures and removes it; says only where they are when that is the data folder. */
export async function checkFiles(config: Config): Promise<string> {
  const { data_dir, media_store } = config
  if (!media_store) return `pictures and archives in ${data_dir}`
  const place = `${media_store.bucket} at ${media_store.endpoint ?? `Amazon S3, ${media_store.region}`}`
  const { media } = openFiles(config)
  const name = `doctor-${randomUUID()}.txt`
  try {
    await media.put(name, Readable.from([Buffer.from('written by vrata doctor')]))
    const found = await media.open(name)
    if (!found) throw new Error('a file that was written cannot be read')
    // Reads it to its end, which frees the connection.
    for await (const _ of found.body);
    await media.remove(name)
  } catch (cause) {
    const reason = ((cause as Error).cause as Error | undefined)?.message ?? (cause as Error).message
    throw new Error(`${place}: ${reason}`, { cause })
  }
  return `pictures and archives in ${place}`
}

export function checkMetrics(config: Config): string {
  if (config.metrics_listen) return `at ${config.metrics_listen.host}, port ${config.metrics_listen.port}`
  if (config.metrics_token) return 'available with the token'
  return isLoopbackUrl(config.url)
    ? 'available on this machine'
    : 'off; neither VRATA_METRICS_LISTEN nor VRATA_METRICS_TOKEN is set'
}

export function checkClientCertificates({ mtls, trust_proxy }: Config): string {
  if (!mtls) return 'not accepted; VRATA_MTLS_HEADER is not set'
  const verified = mtls.verified_header ? `verified by ${mtls.verified_header}` : 'none verified'
  return `read from ${mtls.header} (${mtls.format}) of ${trust_proxy}, ${verified}`
}

export async function checkLocations({ geoip_file: file }: Config): Promise<string> {
  if (!file) return 'not shown; VRATA_GEOIP_FILE is not set'
  return await describeGeoIpFile(file).catch((cause) => {
    throw new Error(`not shown; VRATA_GEOIP_FILE cannot be read: ${cause.message}`, { cause })
  })
}
