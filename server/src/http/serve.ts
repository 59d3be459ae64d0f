import {
  type AnswerOf,
  type FileAnswer,
  type InputOf,
  LIMITS,
  type Problem,
  problem,
  problemsOf,
  type Route,
} from '@vrata/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ReadDb } from '../db/open.ts'
import type { AppDeps, TransactionDeps } from '../deps.ts'
import type { ActorOf } from './actors.ts'
import { inAcceptedType } from './bodies/documents.ts'
import { endUpload, leaveBodiesUnread } from './bodies/multipart.ts'
import type { CookieJar } from './cookies.ts'
import { sendFile } from './file-download.ts'
import { type GuardDeps, runRequestGuards } from './guards/request-guards.ts'
import { paginate } from './pagination.ts'
import { sendProblem, toProblem } from './problems.ts'

/** A rule of a GET route has no transactions. */
type ReadingDeps = Omit<AppDeps, 'transaction'>
type DepsOf<R extends Route> = R['method'] extends 'GET' ? ReadingDeps : TransactionDeps
type Rule<R extends Route, D> = (deps: D, actor: ActorOf<R>, input: InputOf<R>) => Promise<AnswerOf<R>>

/** A route and the rule that handles it: one entry of a feature's `routes.ts`. */
export interface RouteHandler {
  route: Route
  answer(deps: AppDeps, actor: never, input: never): Promise<unknown>
}

/** Runs the rule in one transaction; a GET rule without one, on a read-only handle. */
export function serve<R extends Route>(route: R, rule: Rule<R, DepsOf<R>>): RouteHandler {
  if (route.method === 'GET') return { route, answer: rule as Rule<R, ReadingDeps> as RouteHandler['answer'] }
  const change = rule as Rule<R, TransactionDeps>
  return {
    route,
    answer: (open, actor, input) => open.transaction((deps) => change(deps, actor as ActorOf<R>, input as InputOf<R>)),
  }
}

/** For rules that open their own transaction after slow work, such as password hashing. */
export function serveOpen<R extends Route>(route: R, rule: Rule<R, AppDeps>): RouteHandler {
  return { route, answer: rule as RouteHandler['answer'] }
}

/** Mounts routes below `/v1` behind their guards; uploads and documents in their own scope, because the guards read their bodies. */
export function mountRoutes(
  app: FastifyInstance,
  guards: GuardDeps,
  deps: AppDeps,
  calls: readonly RouteHandler[],
): void {
  const mount = (scope: FastifyInstance, call: RouteHandler) =>
    scope.route({
      method: call.route.method,
      url: call.route.path,
      bodyLimit: LIMITS.json_body_bytes,
      config: { upload: call.route.multipart !== undefined },
      handler: (request, reply) => handle(guards, deps, call, request, reply),
    })
  const isRead = ({ route }: RouteHandler) => route.multipart === undefined && !route.document
  for (const call of calls) if (isRead(call)) mount(app, call)
  void app.register(async (unread) => {
    leaveBodiesUnread(unread)
    for (const call of calls) if (!isRead(call)) mount(unread, call)
  })
}

async function handle(
  guards: GuardDeps,
  deps: AppDeps,
  { route, answer }: RouteHandler,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  try {
    const { actor, input } = await runRequestGuards(guards, route, request, reply)
    const db = route.replica ? longReads(deps, actor.cookies) : deps.db
    const result = await answer({ ...deps, db, log: request.log }, actor as never, input as never)
    sendReadsToPrimary(deps, route, actor.cookies)
    sendCookies(reply, actor.cookies)
    if (route.file) return sendFile(reply, route, result as FileAnswer)
    reply.code(route.status ?? 200)
    const answered = envelope(route, result, request)
    // Returned instead of sent: Fastify adds listeners to a response that the handler sends itself.
    return route.document ? inAcceptedType(request, reply, answered) : answered
  } catch (error) {
    return sendProblem(request, reply, declared(guards, route, toProblem(error), request))
  } finally {
    endUpload(request)
  }
}

/** A browser that has just changed something sees its change, which the replica may not have yet. */
function longReads({ longReads, replica }: AppDeps, cookies: CookieJar): ReadDb {
  return replica && cookies.read('changed') === undefined ? replica : longReads
}

/** Sends the reads of this browser to the primary for a while after a successful change (`longReads`). */
export function sendReadsToPrimary({ replica }: Pick<AppDeps, 'replica'>, { method }: Route, cookies: CookieJar): void {
  if (replica && method !== 'GET') cookies.write('changed', '1')
}

/** Sends the cookies of a successful rule; a sign-out also clears the browser cache. */
export function sendCookies(reply: FastifyReply, cookies: CookieJar): void {
  for (const cookie of cookies.headers()) reply.header('set-cookie', cookie)
  // Only "cache": "cookies" and "storage" would delete the chosen language and theme, too (security §14.3.1).
  if (cookies.signsOut) reply.header('clear-site-data', '"cache"')
}

type List = { data: unknown; next_cursor: string | null }

/** Wraps the result of a rule; fields that the schema does not name are removed. */
function envelope(route: Route, result: unknown, request: FastifyRequest) {
  // A change returns the new list as a whole: its transaction has committed, so its query can no longer be refused.
  const query = route.method === 'GET' ? request.query : {}
  const list = route.page ? (result as List) : Array.isArray(result) ? paginate(result, query) : undefined
  const data = route.data.safeParse(list ? list.data : result)
  if (!data.success) throw problem('internal', { cause: data.error })
  return { status: 'success', data: data.data, ...(list ? { next_cursor: list.next_cursor } : {}) }
}

/** Logs a problem that the route does not declare; in tests it becomes an internal error. */
function declared(guards: GuardDeps, route: Route, failure: Problem, request: FastifyRequest): Problem {
  if (problemsOf(route).includes(failure.code)) return failure
  const cause = new Error(`${route.method} ${route.path} threw ${failure.code}, which it does not declare`, {
    cause: failure,
  })
  request.log.error({ err: cause }, 'undeclared problem')
  return guards.strict ? problem('internal', { message: cause.message, cause }) : failure
}
