import { type branding, type Locale, type ProblemCode, paths } from '@vrata/contract'
import { type PhraseKey, translator } from '@vrata/phrases'
import escapeHtml from 'escape-html'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppDeps } from '../../deps.ts'
import type { AnonymousActor } from '../actors.ts'
import { anonymousActor, type GuardDeps, runRequestGuards } from '../guards/request-guards.ts'
import { toProblem } from '../problems.ts'
import { type RouteHandler, sendCookies } from '../serve.ts'
import { plainPage, plainPagePolicy } from './plain-page.ts'

/** Data of a plain page: an answer, or the problem that prevented it. */
export type PlainContent = { title: string; html: string }

/** A page for signed-in users without script. It makes the same call as the page with script, behind the same guards. */
export interface ServedPlainPage {
  path: string
  served: RouteHandler
  /** Part of the sign-in of a client, which may run in a popup that must keep its opener. */
  popup?: true
  /** Where a visitor continues after signing in. */
  afterSignIn(parameters: PageParameters): string
  /** `parameters.problem`: code of the form that was rejected last. `name`: of the installation, where it has one. */
  show(locale: Locale, answer: unknown, parameters: PageParameters, name: string | undefined): PlainContent
  fail(locale: Locale, problem: ProblemCode): PlainContent
}

/** A page without script that only says something, to everyone, and leads on by a link. */
export interface PlainStatement {
  path: string
  title: PhraseKey
  text: PhraseKey
  link: PhraseKey
  to: string
}

/** Parameters of path and query. They are not validated. */
type PageParameters = Record<string, string>

/** Renews the session by the session cookie; throws `unauthenticated`. */
export type RenewSession = (deps: AppDeps, actor: AnonymousActor, input: Record<string, never>) => Promise<unknown>

type PageRequest = FastifyRequest<{ Params: Record<string, string>; Querystring: Record<string, unknown> }>

/** Mounts plain pages outside `/v1`. Path parameters are input of the call, too. */
export function mountPlainPages(
  app: FastifyInstance,
  guards: GuardDeps,
  deps: AppDeps,
  pages: readonly (ServedPlainPage | PlainStatement)[],
  renew: RenewSession,
): void {
  for (const page of pages) {
    if (!('served' in page)) {
      app.get(page.path, (request: PageRequest, reply) => {
        const { locale } = anonymousActor(guards, request)
        return send(reply, { locale, look: deps.branding.public() }, statement(locale, page))
      })
      continue
    }
    app.get(page.path, async (request: PageRequest, reply) => {
      const { locale } = anonymousActor(guards, request)
      try {
        return await answer(page, request, reply)
      } catch (error) {
        const { code, status, cause } = toProblem(error)
        if (code === 'unauthenticated') return await signIn(page, request, reply)
        request.problem = code
        if (status >= 500) request.log.error({ err: cause ?? error }, code)
        return send(
          reply.code(status),
          { locale, look: deps.branding.public(), popup: page.popup },
          page.fail(locale, code),
        )
      }
    })
  }

  async function answer({ served, show, popup }: ServedPlainPage, request: PageRequest, reply: FastifyReply) {
    const parameters = parametersOf(request)
    request.query = { ...request.query, ...request.params }
    const { actor, input } = await runRequestGuards(guards, served.route, request, reply)
    const result = await served.answer({ ...deps, log: request.log }, actor as never, input as never)
    const { locale } = actor
    const look = deps.branding.public()
    return send(reply, { locale, look, popup }, show(locale, result, parameters, look.name))
  }

  /** Without script nothing else renews an expired access cookie. `renewed` ends a loop when cookies are not stored. */
  async function signIn({ afterSignIn }: ServedPlainPage, request: PageRequest, reply: FastifyReply) {
    const actor = anonymousActor(guards, request)
    const login = paths.loginUnasked(afterSignIn(parametersOf(request)))
    if (!actor.cookies.read('session') || request.query.renewed !== undefined) return reply.redirect(login, 303)
    try {
      await renew({ ...deps, log: request.log }, actor, {})
    } catch (error) {
      if (toProblem(error).code !== 'unauthenticated') throw error
      return reply.redirect(login, 303)
    }
    sendCookies(reply, actor.cookies)
    const [path, search] = request.url.split('?')
    return reply.redirect(`${path}?${new URLSearchParams([...new URLSearchParams(search), ['renewed', 'true']])}`, 303)
  }
}

function statement(locale: Locale, { title, text, link, to }: PlainStatement): PlainContent {
  const say = translator(locale)
  const html = `<p>${escapeHtml(say(text))}</p><p><a href="${to}">${escapeHtml(say(link))}</a></p>`
  return { title: say(title), html }
}

function parametersOf({ query, params }: PageRequest): PageParameters {
  const texts = Object.entries(query).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return { ...Object.fromEntries(texts), ...params }
}

type Around = { locale: Locale; look: branding.PublicBranding; popup?: true | undefined }

function send(reply: FastifyReply, around: Around, { title, html }: PlainContent): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('content-security-policy', plainPagePolicy({ formAction: "'self'", look: around.look }))
    .header('cross-origin-opener-policy', around.popup ? 'unsafe-none' : 'same-origin')
    .type('text/html; charset=utf-8')
    .send(plainPage(around, title, html))
}
