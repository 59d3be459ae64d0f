import { problem, type Route } from '@vrata/contract'
import { type RateLimiterAbstract, RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'

/**
 * Bounds what one address may ask of one process. Guessing is bounded per account elsewhere (security/throttle.ts);
 * this keeps a single source from using the house up, and registration from listing addresses (security.md).
 */
const BUDGETS = {
  /** All calls of an address. */
  any: { points: 1200, duration: 60 },
  /** Changing calls without a session. */
  nobody: { points: 120, duration: 60 },
  /** Calls that hash a password or send a mail, per address block. */
  costly: { points: 60, duration: 600 },
  /** Authorization requests, each of which may leave a row that waits for a person. */
  visits: { points: 300, duration: 60 },
  /** Sockets that are opened; a whole office comes again at once when a server has ended. */
  sockets: { points: 600, duration: 60 },
  /** Codes of devices that are typed in, per address block. */
  codes: { points: 60, duration: 600 },
  /** Questions whose answers tell who else is here. */
  lookups: { points: 60, duration: 60 },
} as const

const COSTLY = new Set(['/auth/register', '/auth/login', '/auth/forgot-password', '/account/verify-email'])

/** Reads that leave a row behind. */
const DRAWS = new Set(['/auth/qr-code'])

const LOOKUPS = new Set(['/account/username/:username'])

const CODES = new Set(['/device'])

export type RateLimit = (route: Route, ip: string) => Promise<void>

/** Bounds the authorization requests of an address; throws like `rateLimit`. */
export function limitVisits(factor = 1): (ip: string) => Promise<void> {
  const limiter = limiterOf('visits', factor)
  return (ip) => spend(limiter, holder(ip))
}

/** Whether one more socket may be opened from an address. */
export function limitSockets(): (ip: string) => Promise<boolean> {
  const limiter = new RateLimiterMemory({ keyPrefix: 'sockets', ...BUDGETS.sockets })
  return async (ip) =>
    limiter.consume(holder(ip)).then(
      () => true,
      () => false,
    )
}

function limiterOf(name: keyof typeof BUDGETS, factor: number): RateLimiterMemory {
  const { points, duration } = BUDGETS[name]
  return new RateLimiterMemory({ keyPrefix: name, points: Math.ceil(points * factor), duration })
}

/** Throws `too_many_requests` with the seconds to wait. `factor` multiplies every budget (`VRATA_LIMITS_FACTOR`). */
export function rateLimit(factor = 1): RateLimit {
  const limiter = (name: keyof typeof BUDGETS) => limiterOf(name, factor)
  const limiters = {
    any: limiter('any'),
    nobody: limiter('nobody'),
    costly: limiter('costly'),
    lookups: limiter('lookups'),
    codes: limiter('codes'),
  }

  return async (route, ip) => {
    const from = holder(ip)
    await spend(limiters.any, from)
    if (LOOKUPS.has(route.path)) await spend(limiters.lookups, addressBlock(ip))
    if (CODES.has(route.path)) await spend(limiters.codes, addressBlock(ip))
    if ((route.method === 'GET' && !DRAWS.has(route.path)) || route.needs !== 'nobody') return
    await spend(limiters.nobody, from)
    if (COSTLY.has(route.path) && route.method === 'POST') await spend(limiters.costly, addressBlock(ip))
  }
}

async function spend(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (refused) {
    if (refused instanceof Error) throw refused
    const seconds = Math.ceil((refused as RateLimiterRes).msBeforeNext / 1000)
    throw problem('too_many_requests', { retry_after: seconds, params: { seconds } })
  }
}

/** Whose an address is: one of IPv4 is somebody's own; of IPv6, everybody has a /64 to choose from at every request. */
export function holder(ip: string): string {
  return ip.includes('.') ? ip.replace(/^::ffff:/i, '') : addressBlock(ip)
}

/** The network an address belongs to: /24 of IPv4, /64 of IPv6; a home or an office counts once. */
export function addressBlock(ip: string): string {
  if (ip.includes('.'))
    return ip
      .replace(/^::ffff:/i, '')
      .split('.')
      .slice(0, 3)
      .join('.')
  const [head = '', tail] = ip.split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const full =
    tail === undefined ? left : [...left, ...Array(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return full.slice(0, 4).join(':')
}
