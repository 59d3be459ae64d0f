import { join } from 'node:path'
import { pino } from 'pino'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { openDatabase, type Store } from './db/open.ts'
import { keepSetting } from './db/settings.ts'
import type { World } from './deps.ts'
import { LOGOUT_JOB } from './issuer/logout-tokens.ts'
import { systemClock } from './ports/clock.ts'
import { startJobs } from './ports/jobs/runner.ts'
import { MAIL_JOB, type Mailer, mailJob } from './ports/mail/mail.ts'
import { outboxMailer } from './ports/mail/outbox.ts'
import { smtpMailer } from './ports/mail/smtp.ts'
import { diskFiles } from './ports/media/disk.ts'
import { pictures } from './ports/media/resize.ts'
import { passwords } from './ports/passwords.ts'
import { nowhere, placesIn } from './ports/places.ts'
import { realtime } from './ports/realtime/realtime.ts'
import { sealing } from './ports/sealing.ts'
import { startPruning } from './prune.ts'

/** How long requests in flight may take once the process is told to end. */
const DRAIN_MS = 10_000

/** Opens what a process needs before the house is built. */
export async function openWorld(config: Config): Promise<{ world: World; store: Store }> {
  const log = pino({ level: config.log_level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime })
  const store = await openDatabase({
    url: config.database_url,
    dataDir: config.data_dir,
    report: (err) => log.error({ err }, 'after a transaction'),
  })
  const world: World = {
    config,
    clock: systemClock,
    passwords: passwords(),
    sealing: sealing(config.secret),
    ...surroundings(config, log),
    signals: store.signals,
    realtime: realtime(store.signals),
    log,
  }
  return { world, store }
}

/** What stands beside the database: files, pictures, places. */
export function surroundings(
  config: Config,
  log: World['log'],
): Pick<World, 'places' | 'pictures' | 'media' | 'archives'> {
  return {
    places: config.geoip_file ? placesIn(config.geoip_file, log) : nowhere,
    pictures: pictures(),
    media: diskFiles(join(config.data_dir, 'media')),
    archives: diskFiles(join(config.data_dir, 'archives')),
  }
}

/**
 * Runs the server until it is told to end. SIGTERM and SIGINT: readiness says so, requests in flight are answered,
 * then the process exits with 0; a second signal does not wait.
 */
export async function serve(config: Config): Promise<void> {
  const { world, store } = await openWorld(config)
  await store.migrate()
  await checkSecret(world, store)
  const { app, deps, handlers } = await buildApp({ world, store })
  const mailer = openMailer(config)
  const jobs = startJobs({
    store,
    clock: world.clock,
    log: world.log,
    apart: [LOGOUT_JOB],
    handlers: {
      ...handlers,
      [MAIL_JOB]: mailJob({ mailer, sealing: world.sealing, clock: world.clock, url: config.url }),
    },
  })
  const pruning = startPruning(deps)
  await app.listen({ port: config.port, host: config.host })
  console.log(`Vrata is open at ${config.url}`)

  let ending = false
  const end = (signal: string) => {
    if (ending) process.exit(1)
    ending = true
    world.log.info({ signal }, 'closing')
    setTimeout(() => process.exit(1), DRAIN_MS).unref()
    pruning.stop()
    app
      .close()
      .then(() => jobs.stop())
      .then(() => mailer.close())
      .then(() => store.close())
      .then(
        () => process.exit(0),
        (err) => {
          world.log.error({ err }, 'closing failed')
          process.exit(1)
        },
      )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  process.on('unhandledRejection', (err) => world.log.error({ err }, 'unhandled rejection'))
}

/** SMTP where it is set; else files, whose links are printed and shown at `/mailbox`. */
function openMailer({ smtp_url: url, mail_from: from, data_dir }: Config): Mailer {
  if (url) return smtpMailer({ url, from })
  return outboxMailer({ folder: join(data_dir, 'outbox'), from, print: (line) => console.log(line) })
}

/**
 * Keys and cookies hang on the secret: another one would void them all, so a server with a wrong one refuses to start.
 * The database keeps a fingerprint, from which the secret cannot be told.
 */
export async function checkSecret(world: World, store: Store): Promise<void> {
  const value = world.sealing.derive('fingerprint', 'vrata')
  const kept = await keepSetting(store.db, 'secret_fingerprint', value)
  if (kept !== value) {
    throw new Error(
      'VRATA_SECRET is not the one this database was made with. Set it, or put the `secret` file of the data folder back.',
    )
  }
}
