import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'

/** Everything that can be set, read once, here and nowhere else (api.md §8). */
export type Config = {
  /** Public URL: issuer, links in mails, origin of the pages. Without a trailing slash. */
  url: string
  secure: boolean
  port: number
  host: string
  /** `postgres://…`, or undefined for SQLite in the data folder. */
  database_url: string | undefined
  data_dir: string
  smtp_url: string | undefined
  mail_from: string
  secret: string
  trust_proxy: boolean | string
  log_level: string
  metrics_token: string | undefined
  /** A database of places in MaxMind's format; without one, places are left out. */
  geoip_file: string | undefined
  /** Multiplies what one address may ask for: more than 1 where many people share one. */
  limits_factor: number
  /** Whether phones may sign other browsers in with a QR code. */
  qr_sign_in: boolean
  /** Whether programs may register apps, with a token that the operator gives them (RFC 7591). */
  client_registration: boolean
  /** Where the pages find the API; another same-site origin when they live on two hosts. */
  api_url: string
  /** Origins whose pages may call the API with cookies; the public URL's own is always among them. */
  web_origins: string[]
}

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })
const originUrl = httpUrl
  .transform((value) => new URL(value))
  .refine(
    (url) => url.pathname === '/' && !url.search && !url.hash && !url.username,
    'must have no path, query or user',
  )
  .transform((url) => url.origin)

const environment = z.object({
  VRATA_URL: originUrl.optional(),
  PORT: z.coerce.number('must be a number').int().min(0).max(65535).default(3000),
  HOST: z.string().min(1).optional(),
  VRATA_DATABASE_URL: z
    .string()
    .regex(/^(postgres(ql)?:\/\/|sqlite$)/, 'must begin with postgres:// (leave it unset for SQLite)')
    .optional(),
  VRATA_DATA_DIR: z.string().min(1).default('./data'),
  VRATA_SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .optional(),
  VRATA_MAIL_FROM: z
    .string()
    .min(3)
    .regex(/^[^\r\n]+$/, 'must be one line')
    .optional(),
  VRATA_SECRET: z
    .string()
    .min(32, 'must have at least 32 characters; `openssl rand -base64 48` makes a good one')
    .optional(),
  VRATA_TRUST_PROXY: z
    .string()
    .regex(/^(?!\s*\d+\s*$)/, 'must be addresses, networks or names such as loopback, or true; a number names nobody')
    .optional(),
  VRATA_LOG_LEVEL: z.enum(LEVELS).default('info'),
  VRATA_METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  VRATA_GEOIP_FILE: z.string().min(1).optional(),
  VRATA_LIMITS_FACTOR: z.coerce.number('must be a number').min(0.1).max(1000).default(1),
  VRATA_QR_SIGN_IN: z.enum(['on', 'off'], 'must be on or off').default('on'),
  VRATA_CLIENT_REGISTRATION: z.enum(['on', 'off'], 'must be on or off').default('off'),
  VRATA_API_URL: originUrl.optional(),
  VRATA_WEB_ORIGINS: z.string().optional(),
})

/** A setting is wrong; the message names it and says what is expected. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/** Reads and checks the environment. Throws `ConfigError` that names every wrong setting at once. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((i) => `${i.path.join('.')}: ${i.message}`).join('\n'))
  }
  const set = parsed.data
  const url = set.VRATA_URL ?? `http://localhost:${set.PORT}`
  const extra = (set.VRATA_WEB_ORIGINS ?? '').split(/[\s,]+/).filter(Boolean)
  for (const one of extra) {
    if (!URL.canParse(one) || new URL(one).origin !== one) {
      throw new ConfigError(`VRATA_WEB_ORIGINS: "${one}" is not an origin such as https://accounts.example.com`)
    }
  }
  const data_dir = resolve(set.VRATA_DATA_DIR)
  return {
    url,
    secure: url.startsWith('https:'),
    port: set.PORT,
    // Without a public URL this is somebody's own machine: nobody else on the network gets in.
    host: set.HOST ?? (set.VRATA_URL ? '0.0.0.0' : 'localhost'),
    database_url: set.VRATA_DATABASE_URL === 'sqlite' ? undefined : set.VRATA_DATABASE_URL,
    data_dir,
    smtp_url: set.VRATA_SMTP_URL,
    mail_from: set.VRATA_MAIL_FROM ?? `Vrata <no-reply@${new URL(url).hostname}>`,
    secret: set.VRATA_SECRET ?? ownSecret(data_dir),
    trust_proxy: trustProxy(set.VRATA_TRUST_PROXY),
    log_level: set.VRATA_LOG_LEVEL,
    metrics_token: set.VRATA_METRICS_TOKEN,
    geoip_file: set.VRATA_GEOIP_FILE && resolve(set.VRATA_GEOIP_FILE),
    limits_factor: set.VRATA_LIMITS_FACTOR,
    qr_sign_in: set.VRATA_QR_SIGN_IN === 'on',
    client_registration: set.VRATA_CLIENT_REGISTRATION === 'on',
    api_url: set.VRATA_API_URL ?? url,
    web_origins: [...new Set([url, ...extra])],
  }
}

/** `true`, or a list of addresses, networks and names such as `loopback` (Fastify's `trustProxy`). */
function trustProxy(value: string | undefined): Config['trust_proxy'] {
  if (!value || value === 'false') return false
  return value === 'true' ? true : value
}

/** Made on the first start and kept, readable for nobody else. */
function ownSecret(dataDir: string): string {
  const file = join(dataDir, 'secret')
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const secret = randomBytes(48).toString('base64url')
  try {
    writeFileSync(file, `${secret}\n`, { mode: 0o600, flag: 'wx' })
    return secret
  } catch (error) {
    // Another process was first: its secret counts.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return readFileSync(file, 'utf8').trim()
  }
}
