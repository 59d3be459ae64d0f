import { problem, RATE_LIMITS, type RateLimitClass, type Route } from '@vrata/contract'
import { FixedWindow } from './fixed-window.ts'

/** Throws `too_many_requests` with the seconds to wait when an address has used up a limit of the route. */
export type RateLimit = (route: Route, ip: string, body?: unknown) => void

type LimitName = keyof typeof RATE_LIMITS

/**
 * Counts calls per address in this process. Guesses are limited per account by security/throttle.ts; these limits keep one
 * source from exhausting the server and from enumerating accounts. `factor` multiplies every limit
 * (`VRATA_LIMITS_FACTOR`).
 */
export function rateLimit(factor = 1): RateLimit {
  const limits = {
    call: addressLimit('call', factor),
    write: addressLimit('write', factor),
    costly: addressLimit('costly', factor),
    lookup: addressLimit('lookup', factor),
    code: addressLimit('code', factor),
  }
  return (route, ip, body) => {
    for (const name of limitsOf(route, body)) limits[name](ip)
  }
}

/** Names of the limits that a call counts against, in the order in which they are checked. */
export function limitsOf(route: Route, body?: unknown): ('call' | RateLimitClass)[] {
  const writes = route.needs === 'nobody' && route.method !== 'GET' && route.limit !== 'write'
  const fields = Object.entries(route.field_limits ?? {}).flatMap(([field, name]) =>
    typeof body === 'object' && body !== null && field in body ? [name] : [],
  )
  return ['call', ...(writes ? (['write'] as const) : []), ...(route.limit ? [route.limit] : []), ...fields]
}

/** Limits the authorization requests of an address; throws like `rateLimit`. */
export function limitAuthorizations(factor = 1): (ip: string) => void {
  return addressLimit('authorization', factor)
}

/** Limits new sockets of an address; false when the limit is reached. `factor` as in `rateLimit`. */
export function limitSockets(factor = 1): (ip: string) => boolean {
  const limit = openLimit('socket', factor)
  return (ip) => limit.isWithin(addressKey(ip))
}

/** Limits requests for client ID metadata documents; both return false when the limit is reached. */
export interface DocumentLimits {
  /** Counted by the network of the browser that names a document for the first time. */
  newDocument(ip: string): boolean
  /** Counted by the host that publishes documents, or by the address of one. */
  target(target: string): boolean
}

/** `factor` as in `rateLimit`. */
export function limitDocuments(factor = 1): DocumentLimits {
  const newDocuments = openLimit('new_document', factor)
  const targets = openLimit('document_host', factor)
  return { newDocument: (ip) => newDocuments.isWithin(networkOf(ip)), target: targets.isWithin }
}

/** Counts events per network in this process; returns those of a window of `duration` seconds. */
export function countByNetwork(duration: number): (ip: string) => number {
  const window = new FixedWindow(duration)
  return (ip) => window.count(networkOf(ip))
}

/** `isWithin` counts one event of a key, and returns whether the limit allows it. */
function openLimit(name: LimitName, factor = 1): { window: FixedWindow; isWithin(key: string): boolean } {
  const { points, duration } = RATE_LIMITS[name]
  const window = new FixedWindow(duration)
  const most = Math.ceil(points * factor)
  return { window, isWithin: (key) => window.count(key) <= most }
}

function addressLimit(name: LimitName, factor: number): (ip: string) => void {
  const { window, isWithin } = openLimit(name, factor)
  const keyOf = RATE_LIMITS[name].per === 'network' ? networkOf : addressKey
  return (ip) => {
    if (isWithin(keyOf(ip))) return
    const seconds = window.secondsLeft
    throw problem('too_many_requests', { retry_after: seconds, params: { seconds } })
  }
}

/** The key of one client: the IPv4 address, or the /64 of an IPv6 address, since one host may use all of its /64. */
export function addressKey(ip: string): string {
  return ip.includes('.') ? ip.replace(/^::ffff:/i, '') : networkOf(ip)
}

/** The network of an address: /24 of IPv4, /64 of IPv6. One household or office counts once. */
export function networkOf(ip: string): string {
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
