import { join, resolve } from 'node:path'
import { z } from 'zod'
import type { S3Settings } from '../adapters/media/s3-url.ts'
import { type Cost, LEAST_COST } from '../adapters/passwords/cost.ts'
import { databaseUrl, mailFrom, postgresUrl, proxies, smtpUrl, trustProxy } from './addresses.ts'
import { AUDIT_VARIABLES, type AuditSettings } from './audit-settings.ts'
import { MEDIA_VARIABLES, mediaStore } from './media-settings.ts'
import { newSecret, readSecrets } from './secret-files.ts'
import { TRACING_VARIABLES, type TracingSettings, tracingSettings } from './tracing-settings.ts'

/** All settings (api §8), read once at the start. */
export type Config = {
  /** Public URL without a trailing slash: issuer, links in mails, origin of the pages. */
  url: string
  secure: boolean
  port: number
  host: string
  /** `postgres://…`; undefined for SQLite in the data folder. */
  database_url: string | undefined
  /** A connection to the same database that no pooler shares, for LISTEN. */
  database_listen_url: string | undefined
  database_replica_url: string | undefined
  data_dir: string
  /** Where pictures and archives are; undefined for the data folder. */
  media_store: S3Settings | undefined
  smtp_url: string | undefined
  mail_from: string
  secret: string
  /** Whether the secret is a file of the data folder, because `VRATA_SECRET` is not set. */
  secret_in_data_dir: boolean
  /** Whether the secret was made just now, and is stored when the database turns out to have none. */
  secret_is_new: boolean
  /** The secret that this one has replaced; accepted until all nodes run with the new one. */
  old_secret: string | undefined
  /** The secret that will replace this one; accepted already. */
  new_secret: string | undefined
  trust_proxy: boolean | string
  /** Client certificates that the proxy passes on (RFC 8705); undefined when they are not accepted. */
  mtls: MtlsConfig | undefined
  /** Seconds between SIGTERM and the end of listening, in which `/readyz` fails and requests are answered. */
  drain_seconds: number
  log_level: string
  metrics_token: string | undefined
  /** An address of its own for `/metrics`, which the public one then does not have. */
  metrics_listen: { host: string; port: number } | undefined
  /** Undefined without an endpoint. */
  tracing: TracingSettings | undefined
  /** Where events of the audit log are sent. */
  audit: AuditSettings
  /** GeoIP database in MaxMind's format; without it, locations are omitted. */
  geoip_file: string | undefined
  /** Multiplies the rate limits per address, for networks where many users share one. */
  limits_factor: number
  /** Whether QR sign-in is enabled. */
  qr_sign_in: boolean
  /** Whether dynamic client registration is enabled (RFC 7591). */
  client_registration: boolean
  /** Whether clients may identify themselves by a metadata document that they publish (decision 0031). */
  client_id_metadata: boolean
  /** Whether other programs make the backups, so that those of `vrata backup` are not missed. */
  backups_elsewhere: boolean
  /** Encrypts the secrets in a backup. */
  backup_passphrase: string | undefined
  /** Whether plain requests are answered without oidc-provider (decision 0096). */
  native_tokens: boolean
  /** Cost of a password hash (decision 0015). */
  password_cost: Cost
  /** URL of the API; another port when pages and API are apart. */
  api_url: string
  /** Origins whose pages may call the API with cookies; includes the origin of the public URL. */
  web_origins: string[]
}

/** Settings of a command that does not need the secret, such as one that brings it: none is made. */
export type Settings = Omit<Config, 'secret'> & { secret: string | undefined }

export type MtlsConfig = {
  /** Name of the header with the certificate, in lower case. */
  header: string
  format: CertificateFormat
  /** Header that is `SUCCESS` when the proxy has verified the certificate by its authorities; without it, none is trusted. */
  verified_header: string | undefined
  /** Origin at which the proxy asks for client certificates, when it is another one (RFC 8705 §5). */
  url: string | undefined
}

/** `pem`: URL-encoded PEM; `der`: DER in base64; `rfc9440`: the same as a byte sequence between colons (RFC 9440 §2.1). */
const CERTIFICATE_FORMATS = ['pem', 'der', 'rfc9440'] as const
export type CertificateFormat = (typeof CERTIFICATE_FORMATS)[number]

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })
const originUrl = httpUrl
  .transform((value) => new URL(value))
  .refine(
    (url) => url.pathname === '/' && !url.search && !url.hash && !url.username,
    'must have no path, query or user',
  )
  .transform((url) => url.origin)

const HEADER_NAME = '[a-z0-9-]+'

const secret = z.string().min(32, 'must have at least 32 characters; create one with `openssl rand -base64 48`')

const DRAIN = 'must be from 0 to 300'

const environment = z.object({
  VRATA_URL: originUrl.optional(),
  PORT: z.coerce.number('must be a number').int().min(0).max(65535).default(3000),
  HOST: z.string().min(1).optional(),
  VRATA_DATABASE_URL: databaseUrl.optional(),
  VRATA_DATABASE_LISTEN_URL: postgresUrl.optional(),
  VRATA_DATABASE_REPLICA_URL: postgresUrl.optional(),
  VRATA_DATA_DIR: z
    .string()
    .min(1)
    // Node.js does not end when it creates folders there (mkdir with `recursive`).
    .refine((value) => !/^\/proc(\/|$)/.test(resolve(value)), 'must be a folder on a disk')
    .default('./data'),
  ...MEDIA_VARIABLES,
  VRATA_SMTP_URL: smtpUrl.optional(),
  VRATA_MAIL_FROM: mailFrom.optional(),
  VRATA_SECRET: secret.optional(),
  VRATA_OLD_SECRET: secret.optional(),
  VRATA_NEW_SECRET: secret.optional(),
  VRATA_TRUST_PROXY: proxies.optional(),
  VRATA_MTLS_HEADER: z
    .string()
    .regex(
      new RegExp(`^${HEADER_NAME} (${CERTIFICATE_FORMATS.join('|')})$`, 'i'),
      `must be the name of a header, a space and ${CERTIFICATE_FORMATS.join(', ')}`,
    )
    .optional(),
  VRATA_MTLS_VERIFIED_HEADER: z
    .string()
    .regex(new RegExp(`^${HEADER_NAME}$`, 'i'), 'must be the name of a header')
    .optional(),
  VRATA_MTLS_URL: originUrl.optional(),
  VRATA_DRAIN_SECONDS: z.coerce.number('must be a number').min(0, DRAIN).max(300, DRAIN).default(5),
  VRATA_LOG_LEVEL: z.enum(LEVELS).default('info'),
  VRATA_METRICS_TOKEN: z.string().min(16, 'must have at least 16 characters').optional(),
  VRATA_METRICS_LISTEN: z
    .string()
    .transform((value) => /^(?<host>\[[0-9a-f:]+\]|[^\s:/[\]]+):(?<port>\d{1,5})$/i.exec(value)?.groups)
    .transform((found) => ({ host: found?.host?.replace(/[[\]]/g, '') ?? '', port: Number(found?.port ?? -1) }))
    .refine(({ port }) => port >= 0 && port < 65536, 'must be an address and a port such as 127.0.0.1:9464')
    .optional(),
  ...TRACING_VARIABLES,
  VRATA_GEOIP_FILE: z.string().min(1).optional(),
  VRATA_LIMITS_FACTOR: z.coerce.number('must be a number').min(0.1).max(1000).default(1),
  VRATA_QR_SIGN_IN: z.enum(['on', 'off'], 'must be on or off').default('on'),
  VRATA_CLIENT_REGISTRATION: z.enum(['on', 'off'], 'must be on or off').default('off'),
  VRATA_CLIENT_ID_METADATA: z.enum(['on', 'off'], 'must be on or off').default('on'),
  ...AUDIT_VARIABLES,
  VRATA_BACKUPS: z.enum(['vrata', 'elsewhere'], 'must be vrata or elsewhere').default('vrata'),
  VRATA_BACKUP_PASSPHRASE: z.string().min(12, 'must have at least 12 characters').optional(),
  VRATA_NATIVE_TOKENS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  VRATA_PASSWORD_COST: z
    .string()
    .transform((value) => /^m=(\d{1,7}),t=(\d{1,2}),p=(\d)$/.exec(value)?.slice(1).map(Number) ?? [])
    .transform(([memoryCost = 0, timeCost = 0, parallelism = 0]) => ({ memoryCost, timeCost, parallelism }))
    .refine(
      ({ memoryCost: m, timeCost: t, parallelism: p }) =>
        m >= LEAST_COST.memoryCost && m <= MOST_MEMORY && t >= LEAST_COST.timeCost && t <= 20 && p >= 1 && p <= 8,
      'must be such as m=19456,t=2,p=1, which is the least; "vrata doctor --hash" proposes one',
    )
    .optional(),
  VRATA_API_URL: originUrl.optional(),
  VRATA_WEB_ORIGINS: z.string().transform(listOfOrigins).default([]),
})

function listOfOrigins(text: string, context: z.RefinementCtx): string[] {
  const origins = text.split(/[\s,]+/).filter(Boolean)
  for (const one of origins)
    if (!URL.canParse(one) || new URL(one).origin !== one)
      context.addIssue(`"${one}" is not an origin such as https://accounts.example.com`)
  return origins
}

/** Most memory of one hash, in KiB: 1 GiB. */
const MOST_MEMORY = 1_048_576

/** Variables that look like settings but are not, such as misspelled ones. Kubernetes names services in others (`VRATA_SERVICE_HOST`). */
export function unknownSettings(env: NodeJS.ProcessEnv): string[] {
  const ofKubernetes = /_SERVICE_(HOST|PORT)|_PORT(_|$)/
  return Object.keys(env).filter(
    (name) => name.startsWith('VRATA_') && !Object.hasOwn(environment.shape, name) && !ofKubernetes.test(name),
  )
}

/** An invalid setting; the message names it and the expected value. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/**
 * Reads and validates the environment, and makes the secret on the first start. Throws `ConfigError` that lists every
 * invalid setting. Writes nothing.
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const settings = readSettings(env)
  if (settings.secret !== undefined) return { ...settings, secret: settings.secret }
  return { ...settings, secret: newSecret(), secret_is_new: true }
}

/** Like `readConfig`, but makes no secret. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const { data: set, error } = environment.safeParse(given)
  const wrong = set ? contradictions(set) : error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  if (!set || wrong.length > 0) throw new ConfigError(wrong.join('\n'))
  const url = set.VRATA_URL ?? `http://localhost:${set.PORT}`
  const data_dir = resolve(set.VRATA_DATA_DIR)
  return {
    url,
    secure: url.startsWith('https:'),
    port: set.PORT,
    // Without a public URL the server listens on loopback only.
    host: set.HOST ?? (set.VRATA_URL ? '0.0.0.0' : 'localhost'),
    database_url: set.VRATA_DATABASE_URL === 'sqlite' ? undefined : set.VRATA_DATABASE_URL,
    database_listen_url: set.VRATA_DATABASE_LISTEN_URL,
    database_replica_url: set.VRATA_DATABASE_REPLICA_URL,
    data_dir,
    media_store: mediaStore(set),
    smtp_url: set.VRATA_SMTP_URL,
    mail_from: set.VRATA_MAIL_FROM ?? `Vrata <no-reply@${new URL(url).hostname}>`,
    secret: set.VRATA_SECRET ?? storedSecret(data_dir),
    secret_in_data_dir: set.VRATA_SECRET === undefined,
    secret_is_new: false,
    old_secret: set.VRATA_OLD_SECRET,
    new_secret: set.VRATA_NEW_SECRET,
    trust_proxy: trustProxy(set.VRATA_TRUST_PROXY),
    mtls: mtls(set),
    drain_seconds: set.VRATA_DRAIN_SECONDS,
    log_level: set.VRATA_LOG_LEVEL,
    metrics_token: set.VRATA_METRICS_TOKEN,
    metrics_listen: set.VRATA_METRICS_LISTEN,
    tracing: tracingSettings(set),
    audit: { sink: set.VRATA_AUDIT_SINK },
    geoip_file: set.VRATA_GEOIP_FILE && resolve(set.VRATA_GEOIP_FILE),
    limits_factor: set.VRATA_LIMITS_FACTOR,
    qr_sign_in: set.VRATA_QR_SIGN_IN === 'on',
    client_registration: set.VRATA_CLIENT_REGISTRATION === 'on',
    client_id_metadata: set.VRATA_CLIENT_ID_METADATA === 'on',
    backups_elsewhere: set.VRATA_BACKUPS === 'elsewhere',
    backup_passphrase: set.VRATA_BACKUP_PASSPHRASE,
    native_tokens: set.VRATA_NATIVE_TOKENS === 'on',
    password_cost: set.VRATA_PASSWORD_COST ?? LEAST_COST,
    api_url: set.VRATA_API_URL ?? url,
    web_origins: [...new Set([url, ...set.VRATA_WEB_ORIGINS])],
  }
}

/** The secret of the data folder, if there is one. A part of one, left by a full disk or a loss of power, protects nothing. */
function storedSecret(data_dir: string): string | undefined {
  const [stored] = readSecrets(data_dir)
  if (stored === undefined || secret.safeParse(stored).success) return stored
  throw new ConfigError(
    `The file ${join(data_dir, 'secret')} is not complete. Restore it from where you keep the secret; if no server has ever been started with it, delete it.`,
  )
}

/** Errors in combinations of settings that are each valid by themselves. */
function contradictions(set: z.output<typeof environment>): string[] {
  const database = set.VRATA_DATABASE_URL
  const others = (['VRATA_DATABASE_LISTEN_URL', 'VRATA_DATABASE_REPLICA_URL'] as const).filter((name) => set[name])
  const found: string[] = []
  if (database === undefined || database === 'sqlite')
    found.push(...others.map((name) => `${name}: must be set with VRATA_DATABASE_URL`))
  if (set.VRATA_MEDIA_URL && !set.AWS_ACCESS_KEY_ID !== !set.AWS_SECRET_ACCESS_KEY)
    found.push('AWS_ACCESS_KEY_ID: must be set together with AWS_SECRET_ACCESS_KEY')
  if (!set.VRATA_MTLS_HEADER && (set.VRATA_MTLS_VERIFIED_HEADER || set.VRATA_MTLS_URL))
    found.push('VRATA_MTLS_HEADER: must be set with the other settings of VRATA_MTLS')
  // A trusted sender can name any certificate; true would trust every sender.
  if (set.VRATA_MTLS_HEADER && typeof trustProxy(set.VRATA_TRUST_PROXY) !== 'string')
    found.push('VRATA_MTLS_HEADER: needs VRATA_TRUST_PROXY with the addresses of the proxies, not true')
  const pages = new URL(set.VRATA_URL ?? 'http://localhost')
  const api = new URL(set.VRATA_API_URL ?? pages)
  // Cookies belong to a host name, whatever the port: pages and `/authorize` would not get those that the API sets.
  if (api.protocol !== pages.protocol || api.hostname !== pages.hostname)
    found.push('VRATA_API_URL: must have the scheme and host name of VRATA_URL; only the port may differ')
  return found
}

/** How the proxy passes client certificates. */
function mtls(set: z.output<typeof environment>): Config['mtls'] {
  const { VRATA_MTLS_HEADER: given, VRATA_MTLS_VERIFIED_HEADER: verified, VRATA_MTLS_URL: url } = set
  if (!given) return undefined
  const [header = '', format] = given.toLowerCase().split(' ')
  return { header, format: format as CertificateFormat, verified_header: verified?.toLowerCase(), url }
}
