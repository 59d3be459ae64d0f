import { LANGUAGE_COOKIE, LIFETIMES } from '@vrata/contract'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Config } from '../config.ts'

/** The cookies of this house, by what they are for. */
const COOKIES = {
  /** The long one: what `/authorize` knows a person by. */
  session: { name: 'vrata_sid', max_age: LIFETIMES.session_idle },
  /** The short one: what all of `/v1` but refresh asks for. */
  access: { name: 'vrata_access', max_age: LIFETIMES.access_cookie },
  /** Somebody who has given the password and owes the second factor; opens nothing else. */
  pending: { name: 'vrata_pending', max_age: LIFETIMES.pending_sign_in },
  /** Marks a browser that shows QR codes; its own, so that no other call that runs beside it can exchange it. */
  qr: { name: 'vrata_qr', max_age: 15 * 60 },
  /** Marks a browser, so that what is begun in it is finished in it, and its people are known when they come back. */
  device: { name: 'vrata_device', max_age: 400 * 24 * 60 * 60 },
} as const
export type CookieKind = keyof typeof COOKIES

/** `__Host-` where https allows it: no other host, no other path can set or see the cookie. */
export function cookieName(config: Pick<Config, 'secure'>, kind: CookieKind): string {
  return config.secure ? `__Host-${COOKIES[kind].name}` : COOKIES[kind].name
}

/** Attributes that every session cookie carries; the engine must set its own with the same ones. */
export function cookieAttributes(config: Pick<Config, 'secure'>) {
  return { httpOnly: true, secure: config.secure, sameSite: 'lax', path: '/' } as const
}

/** Reads the cookies of one request and collects those to set; they are sent only when the rule succeeded. */
export class CookieJar {
  readonly #config: Pick<Config, 'secure'>
  readonly #cookies: Record<string, string | undefined>
  readonly #pending = new Map<string, string>()
  readonly #cleared = new Set<CookieKind>()

  constructor(config: Pick<Config, 'secure'>, header: string | undefined) {
    this.#config = config
    this.#cookies = header ? parseCookie(header.slice(0, 16_384)) : {}
  }

  read(kind: CookieKind): string | undefined {
    return this.#cookies[cookieName(this.#config, kind)] || undefined
  }

  language(): string | undefined {
    return this.#cookies[LANGUAGE_COOKIE]
  }

  write(kind: CookieKind, value: string): void {
    this.#cleared.delete(kind)
    this.#set(kind, value, COOKIES[kind].max_age)
  }

  clear(kind: CookieKind): void {
    this.#cleared.add(kind)
    this.#set(kind, '', 0)
  }

  #set(kind: CookieKind, value: string, maxAge: number): void {
    const name = cookieName(this.#config, kind)
    this.#pending.set(name, stringifySetCookie({ name, value, ...cookieAttributes(this.#config), maxAge }))
  }

  /** Whether this answer takes the session away from the browser. */
  get signsOut(): boolean {
    return this.#cleared.has('session')
  }

  /** `Set-Cookie` headers to send. */
  headers(): string[] {
    return [...this.#pending.values()]
  }
}
