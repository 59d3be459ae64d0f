import { z } from 'zod'
import { LEVELS } from '../levels.ts'
import { LIMITS } from '../limits.ts'
import { LOCALES } from '../locales.ts'
import { isLoopbackHostname } from '../loopback.ts'

/** Schemas of fields that calls share; `meta` is read by forms and OpenAPI. */

/** Printable ASCII only: ids contain nothing else, and PostgreSQL rejects NUL in text. */
export const id = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[!-~]+$/, 'invalid')
/** Id of a client: that of a registered one, or the address of a client ID metadata document (decision 0031). */
export const clientId = z
  .string()
  .min(1)
  .max(LIMITS.client_id_max)
  .regex(/^[!-~]+$/, 'invalid')
export const time = z.string().meta({ format: 'date-time' })
/** Seconds since then, with milliseconds, when the call is answered: the clock of the browser may be wrong. */
export const age = z.number()
export const locale = z.enum(LOCALES)
export const level = z.enum(LEVELS)

/** A part of an address before `@`, between dots (RFC 6531 §3.3): no spaces, control, bidirectional or invisible characters. */
const ATOM = String.raw`[^\s\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800@<>"(),:;[\]\\.]+`
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'

/** Lower-cased, trimmed and composed (RFC 6532 §3.1), so that an address has one spelling. Stricter than RFC 6531. */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .normalize('NFC')
  .max(LIMITS.email_max)
  .regex(new RegExp(String.raw`^${ATOM}(?:\.${ATOM})*@(?:localhost|${LABEL}(?:\.${LABEL})+)$`, 'u'), 'invalid_email')
  .refine((address) => address.indexOf('@') <= 64, 'invalid_email')
  .meta({ format: 'idn-email' })

/** A domain of email addresses, in lower case. */
export const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(new RegExp(`^${LABEL}(?:\\.${LABEL})+$`), 'invalid')

/** An existing password: no minimum length, so that a wrong one is reported as wrong, not as too short. */
export const password = z.string().min(1).max(1024)
/** The rule checks the length and throws `password_too_short` (api §3). */
export const newPassword = z.string().min(1).max(LIMITS.password_max)

/** A search term. NUL never matches, and PostgreSQL rejects it. */
export const exactly = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\u0000]*$/, 'invalid')

const printable = /^[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]*$/u
/** A character that is seen: no space, mark or character that is only for the layout of others. U+2800 is an empty pattern of Braille. */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{M}\u2800]/u
/** One line of text, trimmed, without control and bidirectional characters, which shows something or is empty. */
export const line = (max: number, min = 0) =>
  z
    .string()
    .trim()
    .min(min)
    .max(max)
    .regex(printable, 'invalid')
    .refine((value) => value === '' || VISIBLE.test(value), min === 0 ? 'invalid' : 'required')
/** Text with line breaks. */
export const text = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]*$/u, 'invalid')

/**
 * What mail programs show as a link: a scheme, `www.`, or a domain. A letter with a dot, as in initials and `d.o.o.`, is no
 * domain, except with a path. `。` separates labels, too (RFC 3490 §3.1).
 */
const WEB_ADDRESS = /:\/\/|www\.|[\p{L}\p{N}-]{2}[.。]\p{L}{2}|[\p{L}\p{N}][.。]\p{L}{2,60}[/?#:]/iu

/** A name of which the recipient of a mail must not be able to open anything. */
const name = (min: number) =>
  line(LIMITS.name_max, min).refine((value) => !WEB_ADDRESS.test(value.normalize('NFKC')), 'web_address')
export const personName = name(0)
export const entityName = name(1)
export const username = z
  .string()
  .trim()
  .min(LIMITS.username_min)
  .max(LIMITS.username_max)
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/, 'invalid')

function parsedUrl(value: string): URL | undefined {
  // URL() drops tabs and line breaks and trims; the stored URL must be exactly the checked one.
  if (/[\u0000-\u0020\u007f\\]/.test(value)) return undefined
  // URL() accepts `https:example.com` as absolute, but in a link it is relative.
  if (/^https?:(?!\/\/[^/])/i.test(value)) return undefined
  return URL.canParse(value) ? new URL(value) : undefined
}

function issue(ctx: z.core.$RefinementCtx<string>, message: string) {
  ctx.addIssue({ code: 'custom', message, input: ctx.value })
}

/** URL of a page: https, or http on loopback; `javascript:` and `data:` are rejected (security §1.2.2). */
export const pageUrl = z
  .string()
  .trim()
  .max(LIMITS.url_max)
  .superRefine((value, ctx) => {
    const url = parsedUrl(value)
    if (!url?.host) return issue(ctx as never, 'invalid_url')
    if (url.username || url.password) return issue(ctx as never, 'no_credentials')
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHostname(url.hostname))) {
      issue(ctx as never, 'https_required')
    }
  })
  .meta({ format: 'uri' })

/**
 * URL that the server requests: https, or http on loopback, without a fragment. The resolved address is checked at the
 * request.
 */
export const serverUrl = pageUrl.refine((value) => !value.includes('#'), 'no_fragment')

/** URL of a client that a browser opens: as `pageUrl`, without a fragment. */
export const browserUrl = pageUrl.refine((value) => !value.includes('#'), 'no_fragment')

/** As `browserUrl`, also on loopback with https alone. */
export const httpsUrl = browserUrl.refine((value) => !value.startsWith('http:'), 'https_only')

/**
 * Name of an API (`resource`, RFC 8707 §2): https, or http on loopback, without a fragment and in its normalized form,
 * because it is compared as a string. The slash after a bare host is dropped.
 */
export const resourceIdentifier = pageUrl
  .superRefine((value, ctx) => {
    const url = parsedUrl(value)
    if (!url) return
    if (value.includes('#')) return issue(ctx as never, 'no_fragment')
    if (value.includes('*')) return issue(ctx as never, 'no_wildcard')
    if (url.href !== value && url.href !== `${value}/`) issue(ctx as never, 'invalid_url')
  })
  .transform(withoutRootSlash)

/** `https://api.example.com/` and `https://api.example.com` are one identifier; programs send both. */
export function withoutRootSlash(identifier: string): string {
  return identifier.replace(/^(https?:\/\/[^/]+)\/$/, '$1')
}

/**
 * Absolute, exact, without fragment or wildcard; https, http for loopback only, or a private-use scheme in
 * reverse-domain form for native apps (RFC 8252 §7.1, RFC 9700 §2.1, api §6).
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
    // Redirect URIs are compared as strings, so they must equal their normalized form: no `/../`, upper-case host or
    // default port.
    if (url.href !== value && url.href !== `${value}/`) return issue(ctx as never, 'invalid_url')
    if (url.protocol === 'https:') return
    if (url.protocol === 'http:') {
      if (!isLoopbackHostname(url.hostname)) issue(ctx as never, 'https_required')
      return
    }
    if (!/^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol)) issue(ctx as never, 'private_scheme')
  })
  .meta({ format: 'uri' })

/** Scheme, host and port (RFC 6454). */
export const origin = z
  .string()
  .trim()
  .min(1)
  .max(LIMITS.url_max)
  .superRefine((value, ctx) => {
    const url = parsedUrl(value)
    if (!url?.host) return issue(ctx as never, 'invalid_url')
    if (value.includes('*')) return issue(ctx as never, 'no_wildcard')
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHostname(url.hostname))) {
      return issue(ctx as never, 'https_required')
    }
    if (url.href !== `${url.origin}/`) issue(ctx as never, 'no_path')
  })
  .transform((value) => new URL(value).origin)
  .meta({ format: 'uri' })

/** Six digits (RFC 6238), also in two groups. */
export const otpToken = z
  .string()
  .trim()
  .regex(/^\d{3} ?\d{3}$/, 'invalid')

/** Case, spaces and dashes are ignored. */
export const recoveryCode = z
  .string()
  .trim()
  .min(1)
  .max(40)
  .regex(/^[A-Za-z0-9 -]+$/, 'invalid')

/** Alternative fields of which exactly one must be present. */
export function exactlyOne<S extends Record<string, z.ZodType>>(proofs: S) {
  const shape = Object.fromEntries(Object.entries(proofs).map(([name, proof]) => [name, proof.optional()]))
  return z.object(shape as { [K in keyof S]: z.ZodOptional<S[K]> }).superRefine((value, ctx) => {
    const given = Object.keys(proofs).filter((name) => (value as Record<string, unknown>)[name] !== undefined)
    if (given.length === 1) return
    const message = given.length === 0 ? 'required' : 'unknown'
    ctx.addIssue({ code: 'custom', message, path: [given[1] ?? Object.keys(proofs)[0] ?? ''], input: value })
  })
}

/** Dotted, lower case: `notes.entries.read`; OpenID scopes have no dot. */
export const scopeKey = z
  .string()
  .max(100)
  .regex(/^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$/, 'invalid')

/** A client-defined scope: begins with the prefix of its client (api §6), which has 2 to 40 characters. */
export const definedKey = z
  .string()
  .trim()
  .max(100)
  .superRefine((value, ctx) => {
    if (!/^[a-z][a-z0-9_]{1,39}(\.[a-z0-9_]+)+$/.test(value)) issue(ctx as never, 'scope_key')
  })

/** A file name of `/v1/media`, an absolute URL, or null (product §3). */
export const picture = z.string().nullable()

/** How a person is shown to operators and members. */
export const person = {
  first_name: z.string(),
  last_name: z.string(),
  username: z.string().nullable(),
  email: z.string(),
  profile_picture: picture,
}

/** A flag in a query, where it is text, or in a body. */
export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])

/** A whole number in a query, where it is text. Unlike `z.coerce`, it does not take other text for a number, like `''` for 0. */
export const integerText = <Schema extends z.ZodType<number>>(schema: Schema) =>
  z.preprocess((value) => (typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value), schema)

const pageLength = z.number().int().min(1).max(LIMITS.page_max)

export const cursorQuery = {
  limit: integerText(pageLength.default(LIMITS.page_default)),
  /** Long enough for the stored name of a person: folded, a Korean syllable is three letters, which are twelve characters here. */
  cursor: z.string().max(3000).optional(),
}

/** Query of lists that are returned without pages unless a part is requested (decision 0005). */
export const wholeListQuery = z.object({
  limit: integerText(pageLength).optional(),
  cursor: integerText(z.number().int().min(0)).optional(),
})

/** Response without data. */
export const nothing = z.object({})
