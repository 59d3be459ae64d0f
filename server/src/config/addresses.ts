import proxyAddr from '@fastify/proxy-addr'
import { z } from 'zod'
import { connectionTo } from '../adapters/mail/smtp-url.ts'

/** Settings that name other machines: database, mail server, proxies. */

/** For URLs that are parsed later, with a password that may have characters which a URL may not. */
const ESCAPED = 'must be a URL; characters such as / # ? % @ in the password are written as %2F %23 %3F %25 %40'

export const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, 'must start with postgres://')
  .refine(isPostgresUrl, ESCAPED)

export const databaseUrl = z
  .string()
  .regex(/^(postgres(ql)?:\/\/|sqlite$)/, 'must start with postgres:// (leave it unset for SQLite)')
  .refine((value) => value === 'sqlite' || isPostgresUrl(value), ESCAPED)

export const smtpUrl = z
  .string()
  .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
  .refine((value) => canBe(() => connectionTo(value)), ESCAPED)

export const mailFrom = z
  .string()
  .min(3)
  .regex(/^[^\r\n]+$/, 'must be one line')
  .regex(/^([^<>]*<)?[^<>@\s]+@[^<>@\s]+>?$/, 'must be an address such as Example <no-reply@example.com>')

export const proxies = z
  .string()
  .regex(
    /^(?!\s*\d+\s*$)/,
    'must be addresses, networks or names such as loopback, or true; a number of proxies is not accepted',
  )
  .refine(
    (value) => typeof trustProxy(value) !== 'string' || canBe(() => proxyAddr.compile(proxiesIn(value))),
    'must be addresses such as 10.0.0.1, networks such as 10.0.0.0/24, or loopback, linklocal, uniquelocal, between commas',
  )

/** `true`, or a list of addresses, networks and names such as `loopback` (Fastify's `trustProxy`). */
export function trustProxy(value: string | undefined): boolean | string {
  if (!value || value === 'false') return false
  return value === 'true' ? true : value
}

/** The addresses, networks and names of `VRATA_TRUST_PROXY`. */
export function proxiesIn(trusted: string): string[] {
  return trusted.split(',').map((one) => one.trim())
}

/** Whether the driver can read the address; it decodes each part. */
function isPostgresUrl(value: string): boolean {
  const url = URL.parse(value)
  return url !== null && decoded(url.username + url.password + url.hostname + url.pathname) !== undefined
}

function canBe(parse: () => unknown): boolean {
  try {
    parse()
    return true
  } catch {
    return false
  }
}

/** The text of a part of a URL; undefined when a `%` in it is not written as `%25`. */
export function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}
