import { LIMITS, type ProblemCode, safeRedirect } from '@vrata/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppDeps } from '../../deps.ts'
import { type GuardDeps, runRequestGuards } from '../guards/request-guards.ts'
import { toProblem } from '../problems.ts'
import { type RouteHandler, sendCookies, sendReadsToPrimary } from '../serve.ts'
import { mayRedirectToClient, sendClientRedirectPage } from './client-redirect.ts'
import { storeEnteredFields } from './entered-fields.ts'

/**
 * A form that the browser submits itself before the script is loaded or without it (pages §5.5). It makes the same call
 * behind the same guards; only the response is a redirect to a page.
 */
export interface ServedForm {
  /** Path of the page, to which its form is posted; path parameters are input of the call. */
  path: string
  /** A field that only this form of the page has; undefined for its main form. */
  field?: string
  /** The call; undefined for a form that only leads to another step. */
  served?: RouteHandler
  /** Converts the fields to the body of the call, where it has other types than text or needs the query of the page. */
  bodyOf?(fields: Query, query: Query): Query
  /**
   * The address after success. `redirect` is the validated query parameter of the page, `answer` the result of the
   * call, `params` those of the path, `query` all of the page.
   */
  next(redirect: string | undefined, answer: unknown, params: Record<string, string>, query: Query): string
}

type Query = Record<string, unknown>

/**
 * Mounts forms outside `/v1`. An error redirects to the page with the code as query parameter `problem`; the page then has
 * the names and the address that were entered.
 */
export function mountForms(app: FastifyInstance, guards: GuardDeps, deps: AppDeps, forms: readonly ServedForm[]): void {
  void app.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_: unknown, body: unknown) =>
        // A repeated field becomes a list, which no schema accepts as text.
        listed(new URLSearchParams(body as string)),
    )
    pages.setErrorHandler((error, request, reply) => back(deps, request, reply, error))
    for (const path of new Set(forms.map((form) => form.path))) {
      const here = forms.filter((form) => form.path === path)
      pages.post<{ Querystring: Query }>(path, { bodyLimit: LIMITS.json_body_bytes }, async (request, reply) => {
        const sent = (request.body ?? {}) as Query
        const form = here.find(({ field }) => field && Object.hasOwn(sent, field)) ?? here.find(({ field }) => !field)
        if (!form) return reply.callNotFound()
        return await send(guards, deps, form, request, reply)
      })
    }
  })
}

async function send(
  guards: GuardDeps,
  deps: AppDeps,
  { served, bodyOf, next }: ServedForm,
  request: FastifyRequest<{ Querystring: Query }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { redirect } = request.query
  if (!served) return reply.redirect(next(safeRedirect(redirect), undefined, {}, request.query), 303)
  // Only fields that the call knows: buttons have names, too. Empty fields are omitted.
  const known = Object.keys(served.route.body?.shape ?? {})
  const fields = { ...(request.body as Query | undefined), ...(request.params as Query) }
  request.body = pick(bodyOf ? bodyOf(fields, request.query) : fields, known)
  const { actor, input } = await runRequestGuards(guards, served.route, request, reply)
  const answer = await served.answer({ ...deps, log: request.log }, actor as never, input as never)
  sendReadsToPrimary(deps, served.route, actor.cookies)
  sendCookies(reply, actor.cookies)
  const path = next(safeRedirect(redirect), answer, request.params as Record<string, string>, request.query)
  if (!mayRedirectToClient(path)) return reply.redirect(path, 303)
  return sendClientRedirectPage(reply, { locale: actor.locale, look: deps.branding.public() }, path)
}

/** The second step has ended, so the page shows the first. */
const FIRST_STEP: ReadonlySet<ProblemCode> = new Set(['sign_in_expired', 'sign_in_replaced'])

function back({ config }: AppDeps, request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const problem = toProblem(error)
  request.problem = problem.code
  if (problem.status >= 500) request.log.error({ err: problem.cause ?? problem }, problem.code)
  const [path = '/', search] = request.url.split('?')
  const query = new URLSearchParams(search)
  if (FIRST_STEP.has(problem.code)) for (const name of ['otp', 'sign_in']) query.delete(name)
  query.set('problem', problem.code)
  storeEnteredFields(config, reply, request.body, problem)
  return reply.header('cache-control', 'no-store').redirect(`${path}?${query}`, 303)
}

/** The value of each field; that of a repeated one is a list. */
export function listed(form: URLSearchParams): Query {
  const fields = [...Map.groupBy(form, ([name]) => name)]
  return Object.fromEntries(
    fields.map(([name, sent]) => [name, sent.length > 1 ? sent.map(([, value]) => value) : sent[0]?.[1]]),
  )
}

function pick(from: Query, names: readonly string[]): Query {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(from, name) && from[name] !== '').map((name) => [name, from[name]]),
  )
}
