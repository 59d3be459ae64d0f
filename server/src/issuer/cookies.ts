import type { Config } from '../config.ts'

/** Binds a waiting request to the browser in which it began. */
export function resumeCookie(config: Pick<Config, 'secure'>): string {
  return config.secure ? '__Secure-vrata_request' : 'vrata_request'
}

/** The engine would set one more, for pages that we do not serve under its address; it is dropped (answer.ts). */
export const UNUSED_COOKIE = 'vrata_interaction'
