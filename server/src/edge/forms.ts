import { LIMITS, safeRedirect } from '@vrata/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenDeps } from '../deps.ts'
import { type FenceDeps, passFence } from './fence.ts'
import { leadsToAnApp, sendOnward } from './onward.ts'
import { toProblem } from './problems.ts'
import { type Served, sendCookies } from './serve.ts'

/**
 * A page's form that the browser may send itself, before the script has come or when it never does (frontend.md §5.5).
 * It makes the same call through the same fence; only the answer is another page.
 */
export interface ServedForm {
  /** Address of the page, which is where its form is sent; its parameters belong to the call. */
  path: string
  /** A field that only this one of the page's forms has; the page's main form needs none. */
  field?: string
  served: Served
  /**
   * Where the browser goes on; `redirect` is the page's own query parameter, if it leads to one of our pages, `answer`
   * what the call has answered.
   */
  next(redirect: string | undefined, answer: unknown): string
}

type Query = Record<string, unknown>

/** Mounts forms outside `/v1`. A refusal leads back to the page, which finds the code in the query as `problem`. */
export function mountForms(app: FastifyInstance, fence: FenceDeps, deps: OpenDeps, forms: readonly ServedForm[]): void {
  void app.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_: unknown, body: unknown) =>
        // A field that is sent twice is a list, and no schema of ours takes one for a word.
        listed(new URLSearchParams(body as string)),
    )
    pages.setErrorHandler((error, request, reply) => back(request, reply, error))
    for (const path of new Set(forms.map((form) => form.path))) {
      const here = forms.filter((form) => form.path === path)
      pages.post<{ Querystring: Query }>(path, { bodyLimit: LIMITS.json_body_bytes }, async (request, reply) => {
        const sent = (request.body ?? {}) as Query
        const form = here.find(({ field }) => field && Object.hasOwn(sent, field)) ?? here.find(({ field }) => !field)
        if (!form) return reply.callNotFound()
        return await send(fence, deps, form, request, reply)
      })
    }
  })
}

async function send(
  fence: FenceDeps,
  deps: OpenDeps,
  { served, next }: ServedForm,
  request: FastifyRequest<{ Querystring: Query }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { redirect } = request.query
  // Buttons and the like have names, too; the call is handed what it knows. What nobody filled in was not said.
  const known = Object.keys(served.route.body?.shape ?? {})
  request.body = pick({ ...(request.body as Query | undefined), ...(request.params as Query) }, known)
  const { actor, input } = await passFence(fence, served.route, request, reply)
  const answer = await served.answer({ ...deps, log: request.log }, actor as never, input as never)
  sendCookies(reply, actor.cookies)
  const path = next(safeRedirect(redirect), answer)
  return leadsToAnApp(path) ? sendOnward(reply, actor.locale, path) : reply.redirect(path, 303)
}

function back(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const problem = toProblem(error)
  if (problem.status >= 500) request.log.error({ err: problem.cause ?? problem }, problem.code)
  const [path = '/', search] = request.url.split('?')
  const query = new URLSearchParams(search)
  query.set('problem', problem.code)
  return reply.header('cache-control', 'no-store').redirect(`${path}?${query}`, 303)
}

function listed(form: URLSearchParams): Query {
  return Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name)
      return [name, values.length > 1 ? values : values[0]]
    }),
  )
}

function pick(from: Query, names: readonly string[]): Query {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(from, name) && from[name] !== '').map((name) => [name, from[name]]),
  )
}
