import type { Guard } from '../../../db/open.ts'
import { timeAfter, toTime } from '../../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../../deps.ts'
import type { AnonymousActor } from '../../../http/actors.ts'
import { networkOf } from '../../../http/guards/rate-limit.ts'
import type { NetworkFailures } from '../../extension-points.ts'
import { MAX_WAIT, throwIfBlocked } from './throttle.ts'
import * as store from './throttle-store.ts'

/**
 * Wrong passwords and codes for many accounts from one network (/24 of IPv4, /64 of IPv6): after twenty within ten minutes,
 * browsers in which the account has never signed in wait, doubling from 1 s to 15 min (security §6.3.1, decision 0015). Known
 * browsers neither wait nor count, and correct passwords do not count.
 */
const FREE_FAILURES = 20
export const NETWORK_WINDOW = 10 * 60
/** Failures that a process counts by itself before it writes them to the database, so that most cost no write. */
const STEP = 5

const NETWORK_PREFIX = 'network:'

type Deps = Pick<AppDeps, 'db' | 'clock'>

/** Throws `too_many_requests` while unknown browsers of the network wait. */
export async function checkNetwork(deps: Deps, ip: string): Promise<void> {
  throwIfBlocked(deps, await store.findThrottle(deps.db, networkKey(ip)))
}

/** `checkNetwork` as a guard of `GuardedWrites`. */
export function networkGuard({ clock }: Pick<AppDeps, 'clock'>, ip: string): Guard {
  return store.unblockedGuard(networkKey(ip), toTime(clock.now()))
}

export class NetworkFailureCounter implements NetworkFailures {
  readonly count: NetworkFailures['count']
  /** Writes that have begun, by network. */
  readonly #steps = new Map<string, Promise<unknown>>()

  constructor(count: NetworkFailures['count']) {
    this.count = count
  }

  async writeStep(ip: string, write: () => Promise<void>): Promise<void> {
    const network = networkOf(ip)
    const written = write()
    const all = Promise.allSettled([this.#steps.get(network), written])
    this.#steps.set(network, all)
    try {
      await written
    } finally {
      if (this.#steps.get(network) === all) this.#steps.delete(network)
    }
  }

  async stepsWritten(ip: string): Promise<void> {
    await this.#steps.get(networkOf(ip))
  }
}

/** Counts a wrong password or code from an unknown browser. Throws like `checkNetwork` when others were counted meanwhile. */
export async function countNetworkFailure(app: AppDeps, from: AnonymousActor): Promise<void> {
  const { networkFailures } = app
  const free = FREE_FAILURES * app.config.limits_factor
  const counted = networkFailures.count(from.ip)
  if (counted <= free && counted % STEP === 0)
    return await networkFailures.writeStep(from.ip, () => addUnlessBlocked(app, from, STEP, free))
  // Otherwise guesses at the same time would learn more than one after the other.
  if (counted > free) await networkFailures.stepsWritten(from.ip)
  await addUnlessBlocked(app, from, counted > free ? 1 : 0, free)
}

async function addUnlessBlocked(app: AppDeps, from: AnonymousActor, failures: number, free: number): Promise<void> {
  const shared = await store.findThrottle(app.db, networkKey(from.ip))
  throwIfBlocked(app, shared)
  const waits = shared !== undefined && remaining(shared, app.clock.now(), free) >= free - 1
  const added = waits ? 1 : failures
  if (added > 0) throwIfBlocked(app, await app.transaction((deps) => addFailures(deps, from, added, free)))
}

/** The network in CIDR notation (RFC 4632 §3.1, RFC 4291 §2.3). */
function shown(ip: string): string {
  const network = networkOf(ip)
  return network.includes(':') ? `${network}::/64` : `${network}.0/24`
}

/** The key under which attempts from the network of an address are counted. */
export function networkKey(ip: string): string {
  return NETWORK_PREFIX + networkOf(ip)
}

/** Returns the counter as it was before. While it blocks, nothing is added. */
async function addFailures(
  { db, clock, emit }: TransactionDeps,
  from: AnonymousActor,
  added: number,
  free: number,
): Promise<Counter | undefined> {
  const now = clock.now()
  const key = networkKey(from.ip)
  await store.insertThrottle(db, key, toTime(now))
  const before = await store.findThrottleForUpdate(db, key)
  if (!before || isBlocked(before, now)) return before
  const counted = remaining(before, now, free)
  const failures = counted + added
  const wait = failures < free ? undefined : Math.min(MAX_WAIT, 2 ** (failures - free))
  await store.updateThrottle(db, key, {
    failures,
    blocked_until: wait === undefined ? null : timeAfter(now, wait),
    updated_at: toTime(now),
  })
  if (counted < free && failures >= free)
    await emit('security_event', { type: 'network_throttled', network: shown(from.ip), from })
  return before
}

type Counter = { failures: number; blocked_until: string | null; updated_at: string }

/** Failures that still count: `free` of them are forgotten per window after the wait, and all after a quiet window. */
function remaining({ failures, blocked_until, updated_at }: Counter, now: Date, free: number): number {
  const seconds = (now.getTime() - Date.parse(blocked_until ?? updated_at)) / 1000
  if (seconds >= NETWORK_WINDOW) return 0
  return Math.max(0, failures - Math.floor((Math.max(0, seconds) * free) / NETWORK_WINDOW))
}

function isBlocked({ blocked_until }: Counter, now: Date): boolean {
  return blocked_until !== null && blocked_until > toTime(now)
}
