import type { FastifyBaseLogger } from 'fastify'
import type { GeoIp } from './adapters/geoip/geoip.ts'
import type { OwnJobs } from './adapters/jobs/own-jobs.ts'
import type { Files } from './adapters/media/files.ts'
import type { Pictures } from './adapters/media/resize.ts'
import type { Passwords } from './adapters/passwords/passwords.ts'
import type { Realtime } from './adapters/realtime/realtime.ts'
import type { Config } from './config/config.ts'
import type { Db, GuardedWrites, ReadDb, Store, TransactionOptions } from './db/open.ts'
import type { EventName, Events } from './events.ts'
import type { ExtensionPoints } from './features/extension-points.ts'
import type { Clock } from './lib/clock.ts'
import type { Encryption } from './lib/encryption.ts'
import type { Meter } from './lib/meter.ts'
import type { RevocationSubject } from './revocation/revocables.ts'
import type { RevocationEvent, Revoked } from './revocation/revocations.ts'

/** An event whose listeners write nothing. */
export type EventAfterCommit = { [N in 'activity_recorded']: readonly [name: N, event: Events[N]] }['activity_recorded']

/** Settings and adapters that a process opens before the app is built. */
export interface Adapters {
  config: Config
  clock: Clock
  passwords: Passwords
  encryption: Encryption
  geoip: GeoIp
  pictures: Pictures
  /** Files of pictures. */
  media: Files
  /** Files of data requests. */
  archives: Files
  signals: Store['signals']
  ownJobs: OwnJobs
  realtime: Realtime
  log: FastifyBaseLogger
  meter: Meter
  /** The current span of a trace, for what it causes later (`lib/tracing.ts`); undefined outside of one. */
  traceparent(): string | undefined
  /** Tokens that one transaction deletes; a job deletes more (decision 0145). Tests allow fewer. */
  tokens_at_once: number
}

/**
 * Dependencies of a process. Passed as an argument; there is no container. A rule's parameter names only the members that it
 * uses (`Pick<AppDeps, 'db' | 'clock'>`). `db` is a handle on which a write does not compile.
 */
export interface AppDeps extends Adapters, ExtensionPoints {
  db: ReadDb
  /** For lists and statistics (`replica` of a route): connections of the primary that short reads do not use. */
  longReads: ReadDb
  /** For the same calls, with data that may be some seconds old; undefined without a replica. */
  replica: ReadDb | undefined
  /**
   * Runs `work` in one transaction. Rules that do slow work, such as password hashing, do it before they open one,
   * because SQLite has one writer.
   */
  transaction<T>(work: (deps: TransactionDeps) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Runs prepared statements as one transaction, in one round trip (decision 0097). Resolves with false when it has written nothing
   * because a guard does not hold; otherwise listeners get the events after the commit.
   */
  together(guarded: GuardedWrites, events: readonly EventAfterCommit[]): Promise<boolean>
}

/** Dependencies of a rule that changes data: everything that it does is one transaction. */
export interface TransactionDeps extends Adapters, ExtensionPoints {
  db: Db
  /** Runs the hook once the transaction has committed. */
  after(hook: () => void | Promise<void>): void
  /** Runs the hook as the last work of the transaction, for rows that transactions of all users lock. */
  beforeCommit(hook: () => Promise<void>): void
  /** Calls the listeners of an event inside this transaction. */
  emit<N extends EventName>(name: N, event: Events[N]): Promise<void>
  /** Ends everything that the table of revocations names for the event, and returns what has ended. */
  revoke(event: RevocationEvent, subject: RevocationSubject): Promise<Revoked>
}
