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
import type { Deps, OpenDeps, ReadDeps } from '../deps.ts'
import type { ActorOf } from './actors.ts'
import { type FenceDeps, passFence } from './fence.ts'
import { sendFile } from './files.ts'
import { acceptForms } from './multipart.ts'
import { sendProblem, toProblem } from './problems.ts'
import type { CookieJar } from './session-cookie.ts'
import { partOf } from './whole-lists.ts'

type DepsOf<R extends Route> = R['method'] extends 'GET' ? ReadDeps : Deps
type Rule<R extends Route, D> = (deps: D, actor: ActorOf<R>, input: InputOf<R>) => Promise<AnswerOf<R>>

/** A call and the rule that answers it: one line of a slice's `routes.ts`. */
export interface Served {
  route: Route
  answer(deps: OpenDeps, actor: never, input: never): Promise<unknown>
}

/** Answers a call inside one transaction; a GET gets none, and a handle that cannot write. */
export function serve<R extends Route>(route: R, rule: Rule<R, DepsOf<R>>): Served {
  if (route.method === 'GET') return { route, answer: rule as Rule<R, ReadDeps> as Served['answer'] }
  const change = rule as Rule<R, Deps>
  return {
    route,
    answer: (open, actor, input) => open.transaction((deps) => change(deps, actor as ActorOf<R>, input as InputOf<R>)),
  }
}

/** For rules that hash passwords: they open their own transaction once the slow work is done. */
export function serveOpen<R extends Route>(route: R, rule: Rule<R, OpenDeps>): Served {
  return { route, answer: rule as Served['answer'] }
}

/** Mounts calls below `/v1`, each behind its fence; those that bring a file apart, since their bodies are no JSON. */
export function mountCalls(app: FastifyInstance, fence: FenceDeps, deps: OpenDeps, calls: readonly Served[]): void {
  const mount = (scope: FastifyInstance, call: Served) =>
    scope.route({
      method: call.route.method,
      url: call.route.path,
      bodyLimit: LIMITS.json_body_bytes,
      handler: (request, reply) => handle(fence, deps, call, request, reply),
    })
  for (const call of calls) if (!call.route.multipart) mount(app, call)
  void app.register(async (forms) => {
    acceptForms(forms)
    for (const call of calls) if (call.route.multipart) mount(forms, call)
  })
}

async function handle(
  fence: FenceDeps,
  deps: OpenDeps,
  { route, answer }: Served,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  try {
    const { actor, input } = await passFence(fence, route, request, reply)
    const result = await answer({ ...deps, log: request.log }, actor as never, input as never)
    sendCookies(reply, actor.cookies)
    if (route.file) return sendFile(reply, route, result as FileAnswer)
    reply.code(route.status ?? 200)
    // Returned, not sent: Fastify would watch over the end of an answer that a handler has sent itself.
    return envelope(route, result, request)
  } catch (error) {
    return sendProblem(request, reply, declared(fence, route, toProblem(error), request))
  }
}

/** Sends the cookies that a rule has set, once it has succeeded; a browser that is signed out forgets the pages it kept. */
export function sendCookies(reply: FastifyReply, cookies: CookieJar): void {
  for (const cookie of cookies.headers()) reply.header('set-cookie', cookie)
  // Only "cache": with "cookies" or "storage" the language and the chosen look would go, too (security.md 14.3.1).
  if (cookies.signsOut) reply.header('clear-site-data', '"cache"')
}

type List = { data: unknown; next_cursor: string | null }

/** Wraps what a rule returned; what its schema does not name is stripped and never leaves the server. */
function envelope(route: Route, result: unknown, { query }: FastifyRequest) {
  const list = route.page ? (result as List) : Array.isArray(result) ? partOf(result, query) : undefined
  const data = route.data.safeParse(list ? list.data : result)
  if (!data.success) throw problem('internal', { cause: data.error })
  return { status: 'success', data: data.data, ...(list ? { next_cursor: list.next_cursor } : {}) }
}

/** A route may only throw what it declares; anything else is a bug and says so loudly in tests. */
function declared(fence: FenceDeps, route: Route, failure: Problem, request: FastifyRequest): Problem {
  if (problemsOf(route).includes(failure.code)) return failure
  const cause = new Error(`${route.method} ${route.path} threw ${failure.code}, which it does not declare`, {
    cause: failure,
  })
  request.log.error({ err: cause }, 'undeclared problem')
  return fence.strict ? problem('internal', { message: cause.message, cause }) : failure
}
