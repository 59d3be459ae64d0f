import { z } from 'zod'
import { LEVELS } from './levels.ts'
import { LIMITS } from './limits.ts'
import { LOCALES } from './locales.ts'

/** Leaf schemas. A shape that two calls share is stated here once; `meta` is what forms and OpenAPI show. */

/** Printable ASCII only: whatever else stands in a path is no id, and one database refuses NUL in a text. */
export const id = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[!-~]+$/, 'invalid')
export const time = z.string().meta({ format: 'date-time' })
export const locale = z.enum(LOCALES)
export const level = z.enum(LEVELS)

/** Lower-cased and trimmed: one person, one address. Not more clever than RFC 5321 allows a mailbox to look. */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(LIMITS.email_max)
  .regex(
    /^[^\s@<>"(),:;[\]\\]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$|^[^\s@<>"(),:;[\]\\]{1,64}@localhost$/,
    'invalid_email',
  )
  .meta({ format: 'email' })

/** A password that is being presented, not chosen: no lower bound, so that a wrong one is wrong, not "too short". */
export const password = z.string().min(1).max(1024)
/** Length is checked by the rule, which answers `password_too_short` (api.md §3). */
export const newPassword = z.string().min(1).max(LIMITS.password_max)

/** Something that is looked for as it is. No database looks for NUL, and one of ours fails when asked to. */
export const exactly = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\u0000]*$/, 'invalid')

const printable = /^[^\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]*$/u
/** One line of human text, trimmed, without control or direction-changing characters. */
export const line = (max: number, min = 0) => z.string().trim().min(min).max(max).regex(printable, 'invalid')
/** Text that may have line breaks. */
export const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]*$/u, 'invalid')

export const personName = line(LIMITS.name_max)
export const entityName = line(LIMITS.name_max, 1)
export const username = z
  .string()
  .trim()
  .min(LIMITS.username_min)
  .max(LIMITS.username_max)
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/, 'invalid')

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

function parsedUrl(value: string): URL | undefined {
  // URL() drops tabs and line breaks and trims; a stored address must be exactly what was checked.
  if (/[\u0000-\u0020\u007f\\]/.test(value)) return undefined
  // `https:example.com` is a whole address to URL(), but a relative one to a page that shows it as a link.
  if (/^https?:(?!\/\/[^/])/i.test(value)) return undefined
  return URL.canParse(value) ? new URL(value) : undefined
}

function issue(ctx: z.core.$RefinementCtx<string>, message: string) {
  ctx.addIssue({ code: 'custom', message, input: ctx.value })
}

/** A page to link to: https, or http on loopback; `javascript:` and `data:` cannot pass (ASVS 1.2.2). */
export const pageUrl = z
  .string()
  .trim()
  .max(LIMITS.url_max)
  .superRefine((value, ctx) => {
    const url = parsedUrl(value)
    if (!url?.host) return issue(ctx as never, 'invalid_url')
    if (url.username || url.password) return issue(ctx as never, 'no_credentials')
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.has(url.hostname))) {
      issue(ctx as never, 'https_required')
    }
  })
  .meta({ format: 'uri' })

/** An address that our server asks: https, or http on loopback, without a fragment. What it resolves to is checked then. */
export const serverUrl = pageUrl.refine((value) => !value.includes('#'), 'no_fragment')

/**
 * Absolute, exact, without fragment or wildcard; https, http for loopback only, or a private-use scheme in
 * reverse-domain form for native apps (RFC 8252 §7.1; RFC 9700 §2.1; api.md §6).
 */
export const redirectUri = z
  .string()
  .trim()
  .min(1)
  .max(LIMITS.url_max)
  .superRefine((value, ctx) => {
    const url = parsedUrl(value)
    if (!url) return issue(ctx as never, 'invalid_url')
    if (value.includes('#')) return issue(ctx as never, 'no_fragment')
    if (value.includes('*')) return issue(ctx as never, 'no_wildcard')
    if (url.username || url.password) return issue(ctx as never, 'no_credentials')
    // What is compared as text must not read differently to a browser: no `/../`, no upper-case host, no default port.
    if (url.href !== value && url.href !== `${value}/`) return issue(ctx as never, 'invalid_url')
    if (url.protocol === 'https:') return
    if (url.protocol === 'http:') {
      if (!LOOPBACK.has(url.hostname)) issue(ctx as never, 'https_required')
      return
    }
    if (!/^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol)) issue(ctx as never, 'private_scheme')
  })
  .meta({ format: 'uri' })

/** Scheme, host and port, nothing else (RFC 6454). */
export const origin = z
  .string()
  .trim()
  .min(1)
  .max(LIMITS.url_max)
  .superRefine((value, ctx) => {
    const url = parsedUrl(value)
    if (!url?.host) return issue(ctx as never, 'invalid_url')
    if (value.includes('*')) return issue(ctx as never, 'no_wildcard')
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.has(url.hostname))) {
      return issue(ctx as never, 'https_required')
    }
    if (value.replace(/\/$/, '') !== url.origin) issue(ctx as never, 'no_path')
  })
  .transform((value) => value.replace(/\/$/, ''))
  .meta({ format: 'uri' })

/** Six digits of an authenticator app (RFC 6238), also as people read them: in two groups. */
export const otpToken = z
  .string()
  .trim()
  .regex(/^\d{3} ?\d{3}$/, 'invalid')

/** Case, spaces and dashes do not matter. */
export const recoveryCode = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(/^[A-Za-z0-9 -]+$/, 'invalid')

/** Proofs of which a call takes one, whichever the person has at hand; none or several are refused. */
export function exactlyOne<S extends Record<string, z.ZodType>>(proofs: S) {
  const shape = Object.fromEntries(Object.entries(proofs).map(([name, proof]) => [name, proof.optional()]))
  return z.object(shape as { [K in keyof S]: z.ZodOptional<S[K]> }).superRefine((value, ctx) => {
    const given = Object.keys(proofs).filter((name) => (value as Record<string, unknown>)[name] !== undefined)
    if (given.length === 1) return
    const message = given.length === 0 ? 'required' : 'unknown'
    ctx.addIssue({ code: 'custom', message, path: [given[1] ?? Object.keys(proofs)[0] ?? ''], input: value })
  })
}

/** Dotted, lower case: `notes.entries.read`; the OpenID scopes have no dot. */
export const scopeKey = z
  .string()
  .max(100)
  .regex(/^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$/, 'invalid')

/** One that an app defines: below its prefix (api.md §6), so it has a dot, and a first word of 2 to 40 characters. */
export const definedKey = z
  .string()
  .trim()
  .max(100)
  .superRefine((value, ctx) => {
    if (!/^[a-z][a-z0-9_]{1,39}(\.[a-z0-9_]+)+$/.test(value)) issue(ctx as never, 'scope_key')
  })

/** A bare file name of `/v1/media`, a full URL, or nothing (specification §3, "Profile picture"). */
export const picture = z.string().nullable()

export const cursorQuery = {
  limit: z.coerce.number().int().min(1).max(LIMITS.page_max).default(LIMITS.page_default),
  /** Long enough for a name of `name_max` characters. */
  cursor: z.string().max(500).optional(),
}

/** Of a list that is short by nature and therefore answered whole, unless a part of it is asked for (decision 0198). */
export const wholeListQuery = z.object({
  limit: cursorQuery.limit.unwrap().optional(),
  cursor: z.coerce.number().int().min(0).optional(),
})

/** For calls that answer with nothing to say. */
export const nothing = z.object({})
