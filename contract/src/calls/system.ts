import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { SIGNING_ALGORITHMS } from './clients.ts'

/** Checks of `vrata doctor` that the overview repeats. */
export const WARNING_CHECKS = ['address', 'proxies', 'disk', 'database', 'clock', 'backup'] as const
export type WarningCheck = (typeof WARNING_CHECKS)[number]

/** A check that fails, and what it says, in English. */
export const warning = z.object({ check: z.enum(WARNING_CHECKS), says: z.string() })
export type Warning = z.output<typeof warning>

const count = z.number().int()
/** Counted up to 1000. */
const queue = z.object({ waiting: count, failed: count })

/** How many organizations and apps wait for approval. */
export const waitingApprovals = z.object({ organizations: count, clients: count })

export const overview = z.object({
  /** `new`: of the last 30 days; `active`: who used a session in the last 30 days. Null until they are counted for the first time. */
  people: z.object({ all: count, new: count, active: count }).nullable(),
  organizations: count.nullable(),
  apps: count.nullable(),
  /** Organizations and apps that wait for approval. */
  approvals: waitingApprovals,
  /** When people, organizations and apps were counted: at most ten minutes before the request before this one. */
  counted_at: f.time.nullable(),
  /** Sign-ins and rejected ones of the last 90 days (UTC), oldest first. */
  days: z.array(z.object({ day: z.string().meta({ format: 'date' }), sign_ins: count, failures: count })),
  mails: queue,
  /** Other work in the background. */
  jobs: queue,
  /** The active signing keys, and since when they sign. */
  keys: z.array(z.object({ alg: z.enum(SIGNING_ALGORITHMS), since: f.time })),
  version: z.string(),
  database: z.object({ version: z.string(), bytes: count }),
  /** Space of the data folder; null while it does not answer. */
  disk: z.object({ free_bytes: count, total_bytes: count }).nullable(),
  warnings: z.array(warning),
})
export type Overview = z.output<typeof overview>

export const getOverview = route('GET', '/admin/overview', {
  summary: 'Get the state of the installation: people, sign-ins, mails, keys, database, disk and warnings.',
  needs: 'operator:auditor',
  data: overview,
})

export const getWaitingApprovals = route('GET', '/admin/approvals', {
  summary: 'Count the organizations and apps that wait for approval.',
  needs: 'operator:auditor',
  data: waitingApprovals,
})

/** How a request has reached the server. */
export const arrival = z.object({
  /** Address of the client, as the server understands the headers of the proxies that it trusts. */
  address: z.string(),
  /** Address that has opened the connection: the client, or the last proxy. */
  peer: z.object({ address: z.string(), port: z.number().int() }),
  /** The headers `X-Forwarded-For` and `X-Forwarded-Proto`, as they have arrived. */
  forwarded_for: z.string().nullable(),
  forwarded_proto: z.string().nullable(),
})
export type Arrival = z.output<typeof arrival>

export const testProxies = route('POST', '/admin/proxy-test', {
  summary:
    'Tell `vrata doctor` how this request has reached the server. Needs a token that the command has stored in the database, valid once and for a minute.',
  needs: 'nobody',
  body: z.object({ token: z.string().min(1).max(200) }),
  data: arrival,
  problems: ['invalid_token'],
})

export const MAIL_STATES = ['waiting', 'failed', 'sent'] as const

export const mail = z.object({
  id: f.id,
  state: z.enum(MAIL_STATES),
  /** In the language of the request; null once the content is deleted. */
  subject: z.string().nullable(),
  /** The address for an admin; for others `*@` and the domain. Null once the content is deleted. */
  to: z.string().nullable(),
  attempts: z.number().int(),
  /** Why the last attempt failed: a code of the mail server or the connection, without addresses. */
  error: z.string().nullable(),
  created_at: f.time,
  /** Time of the next attempt of a waiting mail. */
  next_attempt_at: f.time.nullable(),
  failed_at: f.time.nullable(),
})
export type MailInfo = z.output<typeof mail>

const idParams = z.object({ id: f.id })

export const listMails = route('GET', '/admin/mails', {
  summary: 'List the mails that wait or have failed, newest first. Failed mails stay for 30 days, their content for 7.',
  needs: 'operator:auditor',
  page: true,
  query: z.object({ ...f.cursorQuery, state: z.enum(['waiting', 'failed']).optional() }),
  data: z.array(mail),
})

export const getMail = route('GET', '/admin/mails/:id', {
  summary: 'Get the state of a mail, such as a test mail. Sent mails stay for 7 days, without their content.',
  needs: 'operator:auditor',
  params: idParams,
  data: mail,
})

export const sendTestMail = route('POST', '/admin/mails/test', {
  summary: 'Send a test mail to the own address. It waits and is retried as every mail.',
  needs: 'operator:admin',
  fresh: true,
  limit: 'costly',
  status: 201,
  data: mail,
})

export const retryMail = route('POST', '/admin/mails/:id/retry', {
  summary: 'Send a failed mail again, or a waiting one at once.',
  needs: 'operator:support',
  fresh: true,
  params: idParams,
  data: mail,
  problems: ['mail_expired'],
})

export const KEY_STATES = ['active', 'next', 'retired'] as const

export const signingKey = z.object({
  kid: z.string(),
  alg: z.enum(SIGNING_ALGORITHMS),
  /** `next`: published and not yet signing. `retired`: no longer signing. */
  state: z.enum(KEY_STATES),
  /** Whether apps get it from `/jwks`. */
  published: z.boolean(),
  created_at: f.time,
  /** Since when it has this state. */
  changed_at: f.time,
})
export type SigningKeyInfo = z.output<typeof signingKey>

export const listSigningKeys = route('GET', '/admin/keys', {
  summary: 'List the signing keys: active ones first, then the next ones. Never a private key.',
  needs: 'operator:auditor',
  data: z.array(signingKey),
})

export const rotateSigningKeys = route('POST', '/admin/keys/rotate', {
  summary: 'Sign with the next keys and create new ones. What the former keys signed stays valid.',
  needs: 'operator:admin',
  fresh: true,
  data: z.array(signingKey),
})

export const revokeSigningKey = route('POST', '/admin/keys/revoke', {
  summary:
    'Delete a signing key in an emergency. It leaves `/jwks` at once on every server; ID tokens and JWT access tokens that it signed are rejected. Sessions, opaque access tokens and refresh tokens stay.',
  needs: 'operator:admin',
  fresh: true,
  body: z.object({ kid: z.string().min(1).max(100) }),
  data: z.array(signingKey),
})

export const registrationToken = z.object({
  id: f.id,
  developer: z.object({ id: f.id, name: z.string() }),
  /** The member in whose name apps are registered. */
  user: z.object({ id: f.id, name: z.string() }),
  uses_left: z.number().int(),
  /** Whether registered apps with a secret may sign in without PKCE. */
  pkce_optional: z.boolean(),
  created_at: f.time,
  expires_at: f.time,
})
export type RegistrationTokenInfo = z.output<typeof registrationToken>

export const listRegistrationTokens = route('GET', '/admin/registration-tokens', {
  summary: 'List the valid tokens for registering apps (RFC 7591), newest first. Never a token itself.',
  needs: 'operator:auditor',
  data: z.array(registrationToken),
})

export const createRegistrationToken = route('POST', '/admin/registration-tokens', {
  summary:
    'Create a token for registering apps of an organization, in the name of a member who may create apps. The answer alone has the token.',
  needs: 'operator:admin',
  fresh: true,
  status: 201,
  body: z.object({
    developer_id: f.id,
    email: f.email,
    /** Number of apps that may be registered. */
    uses: z.number().int().min(1).max(10_000).default(1),
    /** Validity. */
    days: z.number().int().min(1).max(365).default(1),
    pkce_optional: z.boolean().default(false),
  }),
  data: registrationToken.extend({
    token: z.string(),
    /** Whether this installation accepts registrations (`VRATA_CLIENT_REGISTRATION`). */
    registration_on: z.boolean(),
  }),
})

export const deleteRegistrationToken = route('DELETE', '/admin/registration-tokens/:id', {
  summary: 'Delete a token for registering apps. Apps that were registered with it stay.',
  needs: 'operator:admin',
  fresh: true,
  params: idParams,
  data: f.nothing,
})
