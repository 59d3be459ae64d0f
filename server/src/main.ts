import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { paths } from '@vrata/contract'
import { openAuditSink } from './adapters/audit-sink.ts'
import { noGeoIp, openGeoIp } from './adapters/geoip/geoip.ts'
import { OwnJobs } from './adapters/jobs/own-jobs.ts'
import { startJobs } from './adapters/jobs/runner.ts'
import { openLog } from './adapters/log.ts'
import { MAIL_JOB, type Mailer, mailJob } from './adapters/mail/mail.ts'
import { outboxMailer } from './adapters/mail/outbox.ts'
import { smtpMailer } from './adapters/mail/smtp.ts'
import { openFiles } from './adapters/media/open-files.ts'
import { pictures } from './adapters/media/resize.ts'
import { passwords } from './adapters/passwords/passwords.ts'
import { realtime } from './adapters/realtime/realtime.ts'
import { openTracing } from './adapters/tracing/open-tracing.ts'
import { type AppOptions, buildApp } from './app.ts'
import { type Config, ConfigError } from './config/config.ts'
import { otherSecrets } from './config/other-secrets.ts'
import { readOrCreateSecret, readSecrets } from './config/secret-files.ts'
import { migrations } from './db/migrations/index.ts'
import { openDatabase, type Store } from './db/open.ts'
import {
  findSetting,
  insertSetting,
  LAST_URL,
  SECRET_FINGERPRINT,
  SECRETS_IN_USE,
  upsertSetting,
} from './db/settings.ts'
import type { Adapters, AppDeps } from './deps.ts'
import { startSendingEvents } from './features/audit/public.ts'
import { issueSetupLink } from './features/operators/public.ts'
import { listening } from './http/listening.ts'
import { type MetricsOrNone, openMetrics } from './http/monitoring/open-metrics.ts'
import { listenForMetrics } from './http/monitoring/serve-metrics.ts'
import { TOKENS_AT_ONCE } from './issuer/tokens/deletion/end-connection-tokens.ts'
import { JOBS_APART, JOBS_UNTIL_DONE } from './job-handlers.ts'
import { DatabaseClock } from './lib/database-clock.ts'
import { createEncryption, type Encryption } from './lib/encryption.ts'
import { endProcess } from './lib/end-process.ts'
import type { Tracing } from './lib/tracing.ts'
import { startPruning } from './prune.ts'

/** For programs that start servers by the bundled module. */
export { openLog } from './adapters/log.ts'
export { readConfig } from './config/config.ts'

/** Milliseconds for requests in flight after the end of listening. */
const CLOSING = 10_000

/** Opens the adapters and the database. The log of a command is not on standard output. */
export async function openAdapters(
  given: Config,
  log: Adapters['log'] = openLog(given.log_level),
): Promise<
  { adapters: Adapters & { clock: DatabaseClock }; store: Store; tracing: Tracing | undefined } & MetricsOrNone
> {
  const tracing = await openTracing(given, log)
  const store = await openDatabase({
    url: given.database_url,
    listenUrl: given.database_listen_url,
    replicaUrl: given.database_replica_url,
    dataDir: given.data_dir,
    report: (err) => log.error({ err }, 'after a transaction'),
    trace: tracing?.statement,
  })
  const config = given.secret_is_new ? await withStoredSecret(given, store) : given
  const opened = await openMetrics(config)
  const adapters = {
    config,
    clock: await DatabaseClock.open(store),
    passwords: passwords(config.password_cost),
    encryption: openEncryption(config),
    ...openFileAdapters(config, log),
    signals: store.signals,
    ownJobs: new OwnJobs(),
    realtime: realtime(store.signals),
    log,
    meter: opened.meter,
    traceparent: () => tracing?.traceparent(),
    tokens_at_once: TOKENS_AT_ONCE,
  }
  return { adapters, store, tracing, ...opened }
}

/**
 * Stores the secret of a new installation. Not before the database has answered and turned out to have none: a secret that a start has left although it
 * was refused would be used instead of the right one.
 */
async function withStoredSecret(config: Config, store: Store): Promise<Config> {
  const { data_dir } = config
  try {
    const isEmpty = (await store.pendingMigrations()).length === Object.keys(migrations).length
    const isEncrypted = !isEmpty && (await findSetting(store.db, SECRET_FINGERPRINT)) !== undefined
    // Another process that starts with the same folder may have stored one meanwhile.
    if (isEncrypted && readSecrets(data_dir).length === 0)
      throw new ConfigError(
        `There is no secret: VRATA_SECRET is not set, and ${data_dir} has none, but this database is encrypted with one. Set it, or restore the \`secret\` file in the data folder.`,
      )
    return { ...config, secret: readOrCreateSecret(data_dir, config.secret), secret_is_new: false }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Accepts the secret that replaces this one or was replaced by it, too. */
export function openEncryption(config: Config): Encryption {
  return createEncryption(config.secret, () => otherSecrets(config))
}

/** Adapters of files: media, archives, GeoIP database. */
export function openFileAdapters(
  config: Config,
  log: Adapters['log'],
): Pick<Adapters, 'geoip' | 'pictures' | 'media' | 'archives'> {
  return {
    geoip: config.geoip_file ? openGeoIp(config.geoip_file, log) : noGeoIp,
    pictures: pictures(),
    ...openFiles(config),
  }
}

/** A server that listens. */
export interface RunningServer {
  /** Makes `/readyz` fail for so many seconds while requests are answered, then ends listening, answers requests in flight and ends. */
  close(drain_seconds: number): Promise<void>
}

/** Migrates the database and starts to listen, after `beforeListening`. Throws when that is not possible. */
export async function startServer(
  config: Config,
  { log, ...options }: Pick<AppOptions, 'pages'> & { log?: Adapters['log'] } = {},
  beforeListening?: (log: Adapters['log']) => void,
): Promise<RunningServer> {
  const { adapters, store, meter, metrics, tracing } = await openAdapters(config, log)
  const migrated = await store.migrate()
  await checkSecret(adapters, store)
  const stopFollowing = followDatabase(adapters)
  const { app, deps, handlers, draining } = await buildApp({ adapters, store, metrics, tracing, ...options })
  const metricsListener = await listenForMetrics(config, metrics)
  beforeListening?.(adapters.log)
  const { host, port } = config
  await listening({ host, port }, app.listen({ host, port }))
  console.log(`Vrata is running at ${config.url}`)
  await recordSecretsInUse(adapters, store).catch((err) =>
    adapters.log.error({ err }, 'the secrets in use were not noted'),
  )
  await recordUrl(adapters, store).catch((err) => adapters.log.error({ err }, 'the address in use was not noted'))
  await printSetupLink(deps, (line) => console.log(line))
  // After the first requests can be answered: what is queued meanwhile is found by the first look.
  const mailer = openMailer(config)
  const jobs = startJobs({
    store,
    clock: adapters.clock,
    log: adapters.log,
    meter,
    tracing,
    own: adapters.ownJobs,
    apart: JOBS_APART,
    keep: [MAIL_JOB],
    untilDone: JOBS_UNTIL_DONE,
    handlers: {
      ...handlers,
      [MAIL_JOB]: mailJob({ mailer, ...deps, url: config.url, meter }),
    },
  })
  if (migrated.length > 0) void removeCopies(config).catch((err) => adapters.log.error({ err }, 'after a rehearsal'))
  const pruning = startPruning(deps, store)
  const sending = config.audit.sink && startSendingEvents(deps, openAuditSink(config.audit.sink))
  return {
    async close(drain_seconds) {
      pruning.stop()
      draining.begin()
      await pause(drain_seconds * 1000)
      await app.close()
      await metricsListener?.close()
      await jobs.stop()
      await sending?.stop()
      await mailer.close()
      await adapters.realtime.sent()
      stopFollowing()
      await store.close()
      await tracing?.close()
    },
  }
}

/** Deletes what a rehearsal of this upgrade has left if it was killed: a copy of everything. */
async function removeCopies({ database_url: url, data_dir: dataDir }: Config): Promise<void> {
  const { removeRehearsal } = await import('./db/copy/rehearsal-place.ts')
  await removeRehearsal({ url, dataDir })
}

/**
 * Keeps the clock at the database's time; returns how to end that. oidc-provider, jose and nodemailer cannot be told the time: they ask
 * `Date.now`, which is that of the database from now on. `new Date()` stays the time of the machine.
 */
function followDatabase({ clock, log }: { clock: DatabaseClock; log: Adapters['log'] }): () => void {
  Date.now = () => clock.now().getTime()
  return clock.follow(log)
}

/**
 * Runs the server until SIGTERM, drains it for `drain_seconds` and exits with 0. SIGINT, from a terminal, ends listening at
 * once. A second signal exits at once, with 1. Before the server listens, a signal ends the process as Node.js does.
 */
export async function serve(config: Config, options: Pick<AppOptions, 'pages'> = {}): Promise<void> {
  const started = startServer(config, options, handleProcessEvents)
  await started

  function handleProcessEvents(log: Adapters['log']): void {
    let ending = false
    const end = async (signal: string) => {
      if (ending) return await endProcess(1)
      ending = true
      const seconds = signal === 'SIGTERM' ? config.drain_seconds : 0
      log.info({ signal, seconds }, 'closing')
      setTimeout(
        () => {
          log.error(`closing has taken longer than ${CLOSING / 1000} s; the process ends`)
          void endProcess(1)
        },
        seconds * 1000 + CLOSING,
      ).unref()
      try {
        await (await started).close(seconds)
        await endProcess(0)
      } catch (err) {
        log.error({ err }, 'closing failed')
        await endProcess(1)
      }
    }
    process.on('SIGTERM', end)
    process.on('SIGINT', end)
    process.on('unhandledRejection', (err) => log.error({ err }, 'unhandled rejection'))
  }
}

/**
 * While there is no operator, prints a link that makes one (operators §1). The server listens already, so a database that does not answer at this moment does
 * not end it.
 */
export async function printSetupLink(deps: AppDeps, print: (line: string) => void): Promise<void> {
  const token = await deps
    .transaction((tx) => issueSetupLink(tx))
    .catch(
      (err) => void deps.log.error({ err }, 'no link to set the installation up was made; the next start makes one'),
    )
  if (token) print(`To set it up: ${deps.config.url}${paths.setup(token)}`)
}

/** SMTP when `VRATA_SMTP_URL` is set; otherwise files, whose links are printed and shown at `/mailbox`. */
export function openMailer({ smtp_url: url, mail_from: from, data_dir }: Config): Mailer {
  if (url) return smtpMailer({ url, from })
  return outboxMailer({ folder: join(data_dir, 'outbox'), from, print: (line) => console.log(line) })
}

/**
 * Keys and cookies depend on the secret, so the server does not start with another one. The database stores a
 * fingerprint from which the secret cannot be derived.
 */
export async function checkSecret(adapters: Adapters, store: Store): Promise<void> {
  const accepted = adapters.encryption.deriveEach('fingerprint', 'vrata')
  const kept = await insertSetting(store.db, SECRET_FINGERPRINT, accepted[0] as string)
  if (!accepted.includes(kept)) {
    throw new ConfigError(
      'VRATA_SECRET does not match the one with which this database is encrypted. Set the original secret, or restore the `secret` file in the data folder.',
    )
  }
}

/** Records the secrets that a started server accepts: only then can another one be removed, or used (`vrata secret rotate`). */
export async function recordSecretsInUse({ encryption }: Pick<Adapters, 'encryption'>, store: Store): Promise<void> {
  const accepted = encryption.deriveEach('fingerprint', 'vrata').join(' ')
  if ((await findSetting(store.db, SECRETS_IN_USE)) !== accepted)
    await upsertSetting(store.db, SECRETS_IN_USE, accepted)
}

/** Records the address, and warns when servers of one installation have different ones: apps, passkeys and cookies of one do not work at the other. */
export async function recordUrl(
  { config: { url }, log }: Pick<Adapters, 'config' | 'log'>,
  store: Store,
): Promise<void> {
  const before = await findSetting(store.db, LAST_URL)
  if (before === url) return
  await upsertSetting(store.db, LAST_URL, url)
  if (before === undefined) return
  log.warn(
    `VRATA_URL is ${url}, and it was ${before} where a server of this database was started before; all servers must have the same`,
  )
}
