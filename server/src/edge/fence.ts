import { atLeast, DEVELOPER_HEADER, type Level, LIFETIMES, negotiateLocale, problem, type Route } from '@vrata/contract'
import * as f from '@vrata/contract/fields'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import type { Clock } from '../ports/clock.ts'
import { type Device, deviceOf } from '../ports/user-agent.ts'
import type { Member, SessionReads, Visitor } from './actors.ts'
import { readFile } from './multipart.ts'
import { fromOwnOrigin } from './own-origin.ts'
import { invalidRequest } from './problems.ts'
import type { RateLimit } from './rate-limit.ts'
import { CookieJar } from './session-cookie.ts'

/** What the fence needs of the world. */
export interface FenceDeps {
  config: Config
  clock: Clock
  reads: SessionReads
  rateLimit: RateLimit
  /** In tests: a problem that its route does not declare fails loudly. */
  strict: boolean
}

/** One request on its way through the fence: every step reads it and adds what it found out. */
interface Passage {
  route: Route
  request: FastifyRequest
  reply: FastifyReply
  actor: Visitor & Partial<Member>
  input: Record<string, unknown>
}

type Step = (fence: FenceDeps, passage: Passage) => void | Promise<void>

const noStore: Step = (_, { reply }) => {
  reply.header('cache-control', 'no-store')
}

const ownOrigin: Step = ({ config }, { route, request }) => {
  if (route.method !== 'GET' && !fromOwnOrigin(config, request)) throw problem('cross_site')
}

const rateLimit: Step = (fence, { route, actor }) => fence.rateLimit(route, actor.ip)

const session: Step = async ({ reads }, { actor }) => {
  const access = actor.cookies.read('access')
  const found = access ? await reads.session(access) : undefined
  if (!found) throw problem('unauthenticated')
  Object.assign(actor, found)
}

const fresh: Step = ({ clock }, { route, actor }) => {
  if (route.fresh && !isFresh(clock, actor as Member)) throw problem('reauthentication_required')
}

/** The organisation that the request names, else the session's current one; `level` then asks whether it is theirs. */
const developer: Step = (_, { request, actor }) => {
  const named = request.headers[DEVELOPER_HEADER]
  if (named !== undefined) actor.developer_id = f.id.safeParse(named).data ?? ''
  if (!actor.developer_id) throw problem('no_developer')
}

const level: Step = async ({ reads }, { route, actor }) => {
  const { developer_id, user_id } = actor as Member
  const permission = await reads.level(developer_id, user_id)
  // A removed member has no developer any more: the same answer as for one never chosen.
  if (!permission) throw problem('no_developer')
  if (!atLeast(permission, route.needs as Level))
    throw problem('insufficient_level', { params: { needed: route.needs } })
  actor.permission = permission
}

const parse: Step = async (_, passage) => {
  const { route, request } = passage
  // No text of ours holds a NUL, and PostgreSQL stores none: one refusal here, instead of a rule in every schema.
  if (hasNul(request.params) || hasNul(request.query) || hasNul(request.body)) {
    throw problem('invalid_request', { message: 'A NUL character stands in it.' })
  }
  const issues = []
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = route[part]
    if (!schema) continue
    // Unknown body fields are refused; unknown query parameters are ignored, as other people's links carry them.
    const strict = part === 'body' ? schema.strict() : schema
    const sent = request[part]
    // Nothing sent is nothing said; a body that says `null` is no object.
    const parsed = strict.safeParse(sent === undefined ? {} : sent, { reportInput: true })
    if (parsed.success) Object.assign(passage.input, parsed.data)
    else issues.push(...parsed.error.issues)
  }
  if (issues.length > 0) throw invalidRequest(issues)
  if (route.multipart) Object.assign(passage.input, await readFile(route, request, passage.reply))
}

/** Without recursion: whoever sends a body decides how deep it is. */
function hasNul(part: unknown): boolean {
  const waiting = [part]
  for (const one of waiting) {
    if (typeof one === 'string' && one.includes('\0')) return true
    if (typeof one === 'object' && one !== null) waiting.push(...Object.values(one))
  }
  return false
}

/** Every check there is, in their order. */
const STEPS = { noStore, ownOrigin, rateLimit, session, fresh, developer, level, parse }
type StepName = keyof typeof STEPS

/** Which checks a route passes, by what it needs. There is no other place where a check is switched on or off. */
const FENCE: Record<'anywhere' | 'nobody' | 'session' | 'level', readonly StepName[]> = {
  anywhere: [/*                       */ 'rateLimit', /*                                       */ 'parse'],
  nobody: ['noStore', 'ownOrigin', 'rateLimit', /*                                            */ 'parse'],
  session: ['noStore', 'ownOrigin', 'rateLimit', 'session', 'fresh', /*                       */ 'parse'],
  level: ['noStore', 'ownOrigin', 'rateLimit', 'session', 'fresh', 'developer', 'level', /*    */ 'parse'],
}

function stepsOf(route: Route): readonly StepName[] {
  return FENCE[
    route.needs === 'anywhere' || route.needs === 'nobody' || route.needs === 'session' ? route.needs : 'level'
  ]
}

/** Leads one request through the fence of its route; throws the first problem found. */
export async function passFence(
  fence: FenceDeps,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ actor: Visitor & Partial<Member>; input: Record<string, unknown> }> {
  const passage: Passage = { route, request, reply, actor: visitorOf(fence.config, request), input: {} }
  for (const name of stepsOf(route)) await STEPS[name](fence, passage)
  return passage
}

/** What is known of whoever asks, before any check. */
export function visitorOf(config: Pick<Config, 'secure'>, request: FastifyRequest): Visitor {
  const cookies = new CookieJar(config, request.headers.cookie)
  // Read when somebody asks: most requests record no device.
  let device: Device | undefined
  const known = (): Device => (device ??= deviceOf(request.headers['user-agent']))
  return {
    request_id: request.id,
    ip: request.ip,
    get os() {
      return known().os
    },
    get browser() {
      return known().browser
    },
    locale: negotiateLocale(cookies.language(), request.headers['accept-language']),
    cookies,
  }
}

/** Whether the person proved in this browser who they are within the last 10 minutes (api.md §2). */
export function isFresh(clock: Clock, person: { authenticated_at: string; vouched: boolean }): boolean {
  if (person.vouched) return false
  return clock.now().getTime() - Date.parse(person.authenticated_at) <= LIFETIMES.fresh_sign_in * 1000
}
