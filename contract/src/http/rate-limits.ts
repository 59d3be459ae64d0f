type RateLimit = {
  points: number
  /** Seconds. */
  duration: number
  /** The address that requests are counted by: the IP address, or its network (/24 of IPv4, /64 of IPv6). */
  per: 'address' | 'network'
}

/** Rate limits per process, multiplied by `VRATA_LIMITS_FACTOR`. */
export const RATE_LIMITS = {
  /** All calls. */
  call: { points: 1200, duration: 60, per: 'address' },
  /** Calls without a session that insert or change rows. */
  write: { points: 120, duration: 60, per: 'address' },
  /** Calls without a session that hash a password or send a mail, and new addresses of accounts. */
  costly: { points: 60, duration: 600, per: 'network' },
  /** Calls that answer whether an account exists. */
  lookup: { points: 60, duration: 60, per: 'network' },
  /** Calls that compare a short code. */
  code: { points: 60, duration: 600, per: 'network' },
  /** Authorization requests, and sign-outs that apps request. Each may insert a row. */
  authorization: { points: 300, duration: 60, per: 'address' },
  /** Client ID metadata documents that are fetched for the first time: by one network, and from one host. */
  new_document: { points: 20, duration: 600, per: 'network' },
  document_host: { points: 20, duration: 60, per: 'address' },
  /** New sockets. High, because all pages of an office reconnect at once when a server has stopped. */
  socket: { points: 600, duration: 60, per: 'address' },
} as const satisfies Record<string, RateLimit>

/**
 * Rate-limit class of a call. A call of `needs: 'nobody'` whose method is not GET has the limit `write` without naming
 * it; `costly` counts against `write`, too.
 */
export type RateLimitClass = 'write' | 'costly' | 'lookup' | 'code'
