import {
  acceptedLanguages,
  atLeast,
  DEVELOPER_HEADER,
  type FieldCode,
  hasRole,
  type Level,
  LIFETIMES,
  type Locale,
  needsApproval,
  negotiateAmong,
  problem,
  type Route,
  roleNeeded,
} from '@vrata/contract'
import * as f from '@vrata/contract/fields'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Device, deviceOf } from '../../adapters/user-agent.ts'
import type { Config } from '../../config/config.ts'
import type { Clock } from '../../lib/clock.ts'
import type { AnonymousActor, ArrivedActor, MemberActor, OperatorActor, SessionReads, UserActor } from '../actors.ts'
import { readDocument } from '../bodies/documents.ts'
import { openUpload } from '../bodies/multipart.ts'
import { arrivalOf, ipOf } from '../client-ip.ts'
import { CookieJar } from '../cookies.ts'
import { invalidRequest } from '../problems.ts'
import type { RateLimit } from './rate-limit.ts'
import { isSameOrigin } from './same-origin.ts'

/** Dependencies of the request guards. */
export interface GuardDeps extends ActorDeps {
  config: Config
  clock: Clock
  reads: SessionReads
  rateLimit: RateLimit
  /** Milliseconds within which the body of an upload must be received. */
  uploadDeadline: number
  /** In tests: a problem that the route does not declare is an internal error. */
  strict: boolean
}

/** State of one request: each guard reads it and adds what it has established. */
interface RequestContext {
  route: Route
  request: FastifyRequest
  reply: FastifyReply
  actor: AnonymousActor & Partial<MemberActor & OperatorActor> & { approved?: boolean }
  input: Record<string, unknown>
}

type Guard = (guards: GuardDeps, context: RequestContext) => void | Promise<void>

const noStore: Guard = (_, { reply }) => {
  reply.header('cache-control', 'no-store')
}

const ownOrigin: Guard = ({ config }, { route, request }) => {
  if (route.method !== 'GET' && !isSameOrigin(config, request)) throw problem('cross_site')
}

const rateLimit: Guard = (guards, { route, request, actor }) => guards.rateLimit(route, actor.ip, request.body)

/** A session whose sign-in is not complete makes only the calls that complete it. */
const session: Guard = async ({ reads }, { route, actor, request }) => {
  const access = actor.cookies.read('access')
  const found = access ? await reads.session(access, route) : undefined
  if (!found) throw problem('unauthenticated')
  request.user_id = found.user_id
  const next = found.next_step
  if (next && !route.during?.includes(next)) throw problem('sign_in_incomplete', { params: { next } })
  Object.assign(actor, found)
}

const fresh: Guard = (guards, { route, actor }) => {
  if (route.fresh) requireFreshSignIn(guards, actor as MemberActor)
}

/**
 * Selects the developer that the header names, else the current one of the session; `level` then checks the membership.
 */
const developer: Guard = (_, { request, actor }) => {
  const named = request.headers[DEVELOPER_HEADER]
  if (named !== undefined) actor.developer_id = f.id.safeParse(named).data ?? ''
  if (!actor.developer_id) throw problem('no_developer')
}

const level: Guard = async ({ reads }, { route, actor }) => {
  const { developer_id, user_id } = actor as MemberActor
  const found = await reads.membership(developer_id, user_id)
  // A removed member gets the same answer as a session without a developer.
  if (!found) throw problem('no_developer')
  const { permission, approved } = found
  if (!atLeast(permission, route.needs as Level))
    throw problem('insufficient_level', { params: { needed: route.needs } })
  actor.permission = permission
  actor.approved = approved
}

/** Refuses changes by members of an organization that operators have not approved. */
const approved: Guard = (_, { route, actor }) => {
  if (!actor.approved && needsApproval(route)) throw problem('organization_not_approved')
}

/**
 * Users who are not operators get the answer to an unknown address. The second factor is looked up at each call, so that a session
 * from before counts once the account has one (operators §1).
 */
const operator: Guard = async ({ reads }, { route, actor }) => {
  const found = await reads.operator((actor as UserActor).user_id)
  if (!found) throw problem('not_found')
  const needed = roleNeeded(route.needs) ?? 'admin'
  if (!hasRole(found.role, needed)) throw problem('insufficient_level', { params: { needed } })
  if (!found.second_factor) throw problem('second_factor_required')
  actor.role = found.role
}

const parse: Guard = async (guards, context) => {
  const { route, request } = context
  const document = route.document && route.body ? await readDocument(request) : undefined
  if (document) {
    await requireStillAllowed(guards, context)
    request.body = document.value
  }
  // Checked once here instead of in every schema.
  const fields = { ...unstorable(request.params), ...unstorable(request.query), ...unstorable(request.body) }
  if (Object.keys(fields).length > 0)
    throw problem('invalid_request', { message: 'A text contains a NUL character or an unpaired surrogate.', fields })
  const issues = []
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = route[part]
    if (!schema) continue
    // Unknown body fields are rejected; unknown query parameters are ignored, because links often carry additional
    // ones.
    const strict = part === 'body' ? strictBody(route) : schema
    const sent = request[part]
    // A missing part is an empty object; a body of `null` is not.
    const parsed = strict.safeParse(sent === undefined ? {} : sent, { reportInput: true })
    if (parsed.success) Object.assign(context.input, parsed.data)
    else issues.push(...parsed.error.issues)
  }
  if (issues.length > 0) throw invalidRequest(issues, document?.place)
  if (!route.multipart) return
  // Uploads need a session.
  const { user_id } = context.actor as MemberActor
  const received = () => requireStillAllowed(guards, context)
  const upload = openUpload(route, request, context.reply, { user_id, deadline: guards.uploadDeadline, received })
  Object.assign(context.input, upload)
}

/** Guards that run again when a body has been received that the guards before have admitted: its sender may have taken minutes. */
const AGAIN: ReadonlySet<GuardName> = new Set(['level', 'approved', 'operator'])

/** Throws when the session has ended or the user has lost the level or the role. A refresh in another tab meanwhile does not matter. */
async function requireStillAllowed(guards: GuardDeps, context: RequestContext): Promise<void> {
  const { session_id } = context.actor as UserActor
  if (!(await guards.reads.live([session_id])).has(session_id)) throw problem('unauthenticated')
  for (const name of guardsOf(context.route)) if (AGAIN.has(name)) await GUARD_FUNCTIONS[name](guards, context)
}

const strictBodies = new WeakMap<Route, NonNullable<Route['body']>>()

/** Made once for each call, because each new schema compiles its checks. */
function strictBody(route: Route): NonNullable<Route['body']> {
  const known = strictBodies.get(route)
  if (known) return known
  const strict = (route.body as NonNullable<Route['body']>).strict()
  strictBodies.set(route, strict)
  return strict
}

/** The fields with a text that cannot be stored as it is. */
function unstorable(part: unknown): Record<string, FieldCode> {
  if (isStorable(part)) return {}
  const fields = typeof part === 'object' && part !== null ? Object.entries(part) : [['body', part] as const]
  return Object.fromEntries(fields.flatMap(([name, value]) => (isStorable(value) ? [] : [[name, 'invalid']])))
}

/**
 * Whether all texts can be stored as they are: PostgreSQL rejects NUL, and UTF-8 has no unpaired surrogates, of which drivers make another
 * character. Iterative, because the sender determines depth and length of the body.
 */
function isStorable(part: unknown): boolean {
  const waiting = [part]
  for (const one of waiting) {
    if (typeof one === 'string' && (one.includes('\0') || !one.isWellFormed())) return false
    if (typeof one === 'object' && one !== null) for (const value of Object.values(one)) waiting.push(value)
  }
  return true
}

/** All guards, in the order in which they run. */
const GUARD_FUNCTIONS = { noStore, ownOrigin, rateLimit, session, fresh, developer, level, approved, operator, parse }
type GuardName = keyof typeof GUARD_FUNCTIONS

/** The guards of a route by its `needs`: the only place where a guard is enabled. */
const GUARDS: Record<'anywhere' | 'nobody' | 'session' | 'level' | 'operator', readonly GuardName[]> = {
  anywhere: [/*                       */ 'rateLimit', /*                                       */ 'parse'],
  nobody: ['noStore', 'ownOrigin', 'rateLimit', /*                                            */ 'parse'],
  session: ['noStore', 'ownOrigin', 'rateLimit', 'session', 'fresh', /*                       */ 'parse'],
  level: ['noStore', 'ownOrigin', 'rateLimit', 'session', 'fresh', 'developer', 'level', 'approved', 'parse'],
  operator: ['noStore', 'ownOrigin', 'rateLimit', 'session', 'operator', 'fresh', /*           */ 'parse'],
}

function guardsOf(route: Route): readonly GuardName[] {
  const { needs } = route
  if (needs === 'anywhere' || needs === 'nobody' || needs === 'session') return GUARDS[needs]
  return GUARDS[roleNeeded(needs) ? 'operator' : 'level']
}

/** Runs the guards of a route; throws the first problem. */
export async function runRequestGuards(
  guards: GuardDeps,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ actor: AnonymousActor & Partial<MemberActor & OperatorActor>; input: Record<string, unknown> }> {
  request.call = route
  const context: RequestContext = { route, request, reply, actor: anonymousActor(guards, request), input: {} }
  for (const name of guardsOf(route)) await GUARD_FUNCTIONS[name](guards, context)
  return context
}

/** Settings of cookies, and the offered languages. */
export interface ActorDeps {
  config: Pick<Config, 'secure'>
  branding: { now(): { languages: readonly Locale[]; default_language: Locale } }
}

/** Properties of the request before any guard has run. */
export function anonymousActor(deps: ActorDeps, request: FastifyRequest): ArrivedActor {
  return new Visitor(deps, request)
}

/**
 * A class, because V8 keeps the getters of an object literal in the old generation, and so the whole request until that is collected
 * (decision 0130).
 */
class Visitor implements ArrivedActor {
  readonly request_id: string
  readonly ip: string
  readonly cookies: CookieJar
  readonly #deps: ActorDeps
  readonly #request: FastifyRequest
  // Found on first use: most requests record no device and answer in no language.
  #device: Device | undefined
  #locale: Locale | undefined

  constructor(deps: ActorDeps, request: FastifyRequest) {
    this.request_id = request.id
    this.ip = ipOf(request)
    this.cookies = new CookieJar(deps.config, request.headers.cookie)
    this.#deps = deps
    this.#request = request
  }

  get os() {
    return this.#known.os
  }

  get browser() {
    return this.#known.browser
  }

  get locale() {
    return (this.#locale ??= localeOf(this.#deps.branding.now(), this.cookies, this.#request))
  }

  get arrival() {
    return arrivalOf(this.#request)
  }

  get #known(): Device {
    return (this.#device ??= deviceOf(this.#request.headers['user-agent']))
  }
}

function localeOf(
  { languages, default_language }: ReturnType<ActorDeps['branding']['now']>,
  cookies: CookieJar,
  { headers }: FastifyRequest,
): Locale {
  return (
    negotiateAmong(languages, cookies.language(), acceptedLanguages(headers['accept-language'])) ?? default_language
  )
}

/**
 * Throws `reauthentication_required` unless the user signed in or reauthenticated in this browser within the last 10
 * minutes (api §2.7). Rules call it where only some inputs of a call need it (decision 0061).
 */
export function requireFreshSignIn(
  { clock }: { clock: Clock },
  actor: Pick<UserActor, 'authenticated_at' | 'vouched'>,
) {
  const age = clock.now().getTime() - Date.parse(actor.authenticated_at)
  if (actor.vouched || age > LIFETIMES.fresh_sign_in * 1000) throw problem('reauthentication_required')
}
