import { LANGUAGE_COOKIE, LANGUAGE_COOKIE_MAX_AGE, LIFETIMES, type Locale } from '@vrata/contract'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { Config } from '../config/config.ts'

/** Names of our cookies by purpose. */
const COOKIES = {
  /** Session cookie: long-lived, identifies the user at `/authorize` and `/v1/auth/refresh`. */
  session: { name: 'vrata_sid', max_age: LIFETIMES.session_idle },
  /** Access cookie: short-lived, authenticates all other calls of `/v1`. */
  access: { name: 'vrata_access', max_age: LIFETIMES.access_cookie },
  /** A sign-in that waits for the second factor. */
  pending: { name: 'vrata_pending', max_age: LIFETIMES.pending_sign_in },
  /** Identifies a browser that shows QR codes. A separate cookie, so that no concurrent call replaces it. */
  qr: { name: 'vrata_qr', max_age: 15 * 60 },
  /** Authorization requests that wait in this browser for their user. */
  requests: { name: 'vrata_requests', max_age: LIFETIMES.interaction },
  /** Identifies a browser: binds multi-step operations to it and recognizes known devices. */
  device: { name: 'vrata_device', max_age: 400 * 24 * 60 * 60 },
  /** The browser has just changed something; only with a replica, and longer than one may be behind. */
  changed: { name: 'vrata_changed', max_age: 10 },
  /** Names and address of a form that the server has rejected, for the page that shows it again. */
  entered: { name: 'vrata_entered', max_age: 60 },
} as const
export type CookieKind = keyof typeof COOKIES

/** `__Host-` prefix over https: no other host or path can set or read the cookie. */
export function cookieName(config: Pick<Config, 'secure'>, kind: CookieKind): string {
  return config.secure ? `__Host-${COOKIES[kind].name}` : COOKIES[kind].name
}

/** Attributes of every session cookie; the provider sets its session cookie with the same ones. */
export function cookieAttributes(config: Pick<Config, 'secure'>) {
  return { httpOnly: true, secure: config.secure, sameSite: 'lax', path: '/' } as const
}

/** Reads the cookies of one request and collects cookies to set, which are sent only when the rule succeeds. */
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

  /** Scripts of the pages read and write this cookie, too. */
  writeLanguage(value: Locale): void {
    const attributes = { ...cookieAttributes(this.#config), httpOnly: false, maxAge: LANGUAGE_COOKIE_MAX_AGE }
    this.#pending.set(LANGUAGE_COOKIE, stringifySetCookie({ name: LANGUAGE_COOKIE, value, ...attributes }))
  }

  /** `max_age`: seconds, where it is not the usual one of the cookie. */
  write(kind: CookieKind, value: string, max_age: number = COOKIES[kind].max_age): void {
    this.#cleared.delete(kind)
    this.#set(kind, value, max_age)
  }

  clear(kind: CookieKind): void {
    this.#cleared.add(kind)
    this.#set(kind, '', 0)
  }

  #set(kind: CookieKind, value: string, maxAge: number): void {
    const name = cookieName(this.#config, kind)
    this.#pending.set(name, stringifySetCookie({ name, value, ...cookieAttributes(this.#config), maxAge }))
  }

  /** Whether the response deletes the session of the browser. */
  get signsOut(): boolean {
    return this.#cleared.has('session')
  }

  /** `Set-Cookie` headers to send. */
  headers(): string[] {
    return [...this.#pending.values()]
  }
}
