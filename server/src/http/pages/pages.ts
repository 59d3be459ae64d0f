import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  acceptedLanguages,
  type Boot,
  type branding,
  brandingStyle,
  fillPath,
  hiddenParts,
  isProblemCode,
  LANGUAGE_COOKIE,
  type Locale,
  negotiateAmong,
  type PagePlan,
  type PlannedPage,
  type ProblemCode,
  paths,
  safeRedirect,
  sessionGuard,
} from '@vrata/contract'
import { parseCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mountAssets } from './assets.ts'
import { BrandedPages, bootBranding } from './branded-pages.ts'
import { bestEncoding, compressed } from './compression.ts'
import { consumeEnteredFields } from './entered-fields.ts'
import { documentWriter, type WithoutScript } from './html-document.ts'
import { pageFiles } from './page-files.ts'
import { pageHeaders } from './page-headers.ts'
import { pageRenderer } from './render-page.ts'

/** The part of `Boot` that depends on the request. */
export type PageUser = Omit<Boot, 'locale' | 'api_base' | 'branding'>

/** Sends the page at the address of the request. */
export type PageHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

export type PageOptions = {
  /** Folder of the built pages. */
  dist: string
  /** Public URL of the pages. */
  url: string
  /** Whether cookies are for https only. */
  secure: boolean
  /** URL of the API; differs from `url` when pages and API are on different hosts. */
  api_url: string
  /** Resolves the user by the cookies of the request. */
  visitor(request: FastifyRequest): Promise<PageUser>
  /** Name, colors, pictures, links and languages of the installation. */
  branding: Branding
  /** `Set-Cookie` headers that the login page adds for a browser without them. */
  cookies?(request: FastifyRequest): string[]
}

/** Current branding of the installation. */
export interface Branding {
  now(): Pick<branding.Branding, 'languages' | 'default_language'>
  public(): branding.PublicBranding
}

type Found = { page: PlannedPage; params: Record<string, string | undefined> }

/** Password managers lead here who change a password (W3C, A Well-Known URL for Changing Passwords). */
const CHANGE_PASSWORD = '/.well-known/change-password'

/** Unknown paths below these are answered by the API or the provider. */
const NOT_PAGES = /^\/(?:v1|\.well-known)(?:\/|$)/

/**
 * How often a document is sent before its smallest form is made, which takes a tenth of a second. No request waits for it, and
 * a document that few ask for is not worth it.
 */
const BEFORE_SMALLEST = 5

/**
 * Sends the prerendered pages (pages §5): language negotiated, user data as JSON in the document. Handles GET and HEAD
 * of all paths without another route, and returns the handler for routes that serve pages, too.
 */
export async function mountPages(app: FastifyInstance, options: PageOptions): Promise<PageHandler> {
  const { dist } = options
  const plan: PagePlan = JSON.parse(await readFile(join(dist, 'pages.json'), 'utf8'))
  const pages = plan.pages.map((page) => ({ page, pattern: new RegExp(page.pattern) }))
  const apiBase = options.api_url === options.url ? '' : options.api_url
  const withHtml = pageFiles(dist)
  const write = documentWriter(plan)
  const headersOf = pageHeaders(plan, { url: options.url, apiBase })
  /** The smallest form of a document, or how often it was sent without one. */
  const kept = new Map<string, Buffer | number>()
  let keptLook: branding.PublicBranding | undefined

  const { render, renderPublicPage } = pageRenderer(app, dist, options)
  const branded = new BrandedPages(renderPublicPage)

  await mountAssets(app, join(dist, 'client'), () => options.branding.public().name)
  const answer: PageHandler = async (request, reply) => {
    // With an origin, so that a path that begins with two slashes is parsed as a path.
    const { pathname, search } = new URL(`https://here.invalid${request.raw.url ?? '/'}`)
    if (pathname === CHANGE_PASSWORD) return go(reply, paths.changePassword)
    if (NOT_PAGES.test(pathname)) return reply.callNotFound()

    const found = find(pathname, request.query as Record<string, unknown>)
    if (found?.page.redirect) return go(reply, withQuery(fillPath(found.page.redirect, found.params), search))
    const visitor = await visitorOf(request)
    const redirect = found && redirectOf(found.page, visitor, pathname + search)
    if (redirect) return go(reply, redirect)
    const hidden = hiddenOf(visitor, request)
    if (found?.page.query?.register && hidden.includes('register')) return go(reply, withoutRegistration(search))
    const page = found?.page ?? plan.missing
    if (!isRendered(request, page, visitor)) return send(request, reply, page, visitor)
    const rendered = await render(request, { ...bootOf(request), ...visitor })
    for (const cookie of rendered?.cookies ?? []) reply.header('set-cookie', cookie)
    if (rendered?.redirect) return go(reply, rendered.redirect)
    return send(request, reply, page, rendered?.boot ?? visitor, rendered?.html)
  }
  app.get('/*', answer)
  return answer

  function find(pathname: string, query: Record<string, unknown>): Found | undefined {
    for (const { page, pattern } of pages) {
      const match = pattern.exec(pathname)
      if (match && says(query, page)) return { page, params: decoded(match.groups ?? {}) }
    }
    return undefined
  }

  /** Pages open while the database is unavailable, and then show the outage themselves. */
  async function visitorOf(request: FastifyRequest): Promise<PageUser> {
    try {
      return await options.visitor(request)
    } catch (error) {
      request.log.warn({ err: error }, 'the visitor of a page is not known')
      return { user: null, refresh: true }
    }
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    page: PlannedPage,
    visitor: PageUser,
    rendered?: string,
  ) {
    const boot = { ...bootOf(request), ...visitor }
    const { locale } = boot
    const look = options.branding.public()
    const encoding = bestEncoding(request.headers['accept-encoding'])
    const withoutScript = withoutScriptOf(page, request.query as Record<string, unknown>)
    const hidden = hiddenOf(visitor, request)
    const shown = rendered
      ? page
      : await branded.find(await withHtml(page), look, { ...bootOf(request), user: null, refresh: false })
    const refused = withoutScript?.problem && consumeEnteredFields(options, request.headers.cookie, reply)
    const html = () => write(shown, locale, boot, { ...withoutScript, ...refused, rendered, hidden, look })
    reply
      .code(page === plan.missing || page.absent ? 404 : 200)
      .headers(headersOf(page, request.query as Record<string, unknown>, brandingStyle(look, { origin: apiBase })))
      .header('content-language', locale)
      .type('text/html; charset=utf-8')
    if (encoding) reply.header('content-encoding', encoding)
    if (page.role === 'login') for (const cookie of options.cookies?.(request) ?? []) reply.header('set-cookie', cookie)

    // The document without user data is the same for all requests, so it is compressed once and cached.
    const name = `${plan.pages.indexOf(page)} ${locale} ${encoding}`
    if (visitor.policy || visitor.user || visitor.refresh || visitor.continue_to || withoutScript)
      return reply.send(await compressed(html(), encoding, 'fast'))
    if (look !== keptLook) kept.clear()
    keptLook = look
    const known = kept.get(name) ?? 0
    if (typeof known !== 'number') return reply.send(known)
    const text = html()
    kept.set(name, known + 1)
    if (known + 1 === BEFORE_SMALLEST) {
      compressed(text, encoding, 'small').then(
        (body) => {
          // The branding may have changed meanwhile.
          if (look === keptLook) kept.set(name, body)
        },
        (error) => request.log.error({ err: error }, 'a page could not be compressed'),
      )
    }
    return reply.send(await compressed(text, encoding, 'fast'))
  }

  function bootOf(request: FastifyRequest) {
    const locale = localeOf(request, options.branding.now())
    return { locale, api_base: apiBase, ...bootBranding(options.branding.public()) }
  }
}

/** Pages of signed-in users, also of those whose session has to be renewed; not for a browser that only looks ahead. */
function isRendered({ method, headers }: FastifyRequest, { needs }: PlannedPage, { user, refresh }: PageUser): boolean {
  return needs !== 'nobody' && (user !== null || refresh) && method === 'GET' && headers['sec-purpose'] === undefined
}

/** Parts of the sign-in page that the policy hides. */
function hiddenOf({ policy }: PageUser, request: FastifyRequest): string {
  const { redirect } = request.query as Record<string, unknown>
  return policy ? hiddenParts(policy, safeRedirect(redirect)) : ''
}

/** The sign-in page, which says that registration is closed. */
function withoutRegistration(search: string): string {
  const query = new URLSearchParams(search)
  query.delete('register')
  return withQuery(`/login?problem=${'registration_closed' satisfies ProblemCode}`, `?${query}`)
}

function withoutScriptOf(page: PlannedPage, query: Record<string, unknown>): WithoutScript | undefined {
  const { problem, uid, client_id } = query
  if (page.role === 'verify') return { plain: paths.plainVerify(safeRedirect(query.redirect)) }
  if (page.role === 'consent' && isId(uid) && isId(client_id)) return { plain: paths.plainConsent({ uid, client_id }) }
  return page.prerendered && typeof problem === 'string' && isProblemCode(problem) ? { problem } : undefined
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{1,64}$/.test(value)
}

function decoded(params: Found['params']): Found['params'] {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, value === undefined ? undefined : decodeURIComponent(value)]),
  )
}

/** Whether the query has the parameters that the page requires. */
function says(query: Record<string, unknown>, page: PlannedPage): boolean {
  return Object.keys(page.query ?? {}).every((name) => name in query)
}

/** Applies the part of the page guard that needs no script; the page itself applies the rest. */
function redirectOf(page: PlannedPage, { user, refresh }: PageUser, href: string): string | undefined {
  // The access cookie has expired: the page refreshes it before it runs the guard.
  if (refresh) return undefined
  const query = Object.fromEntries(new URL(href, 'https://here.invalid').searchParams)
  const result = sessionGuard(page, { href, query }, user)
  return result?.do === 'go' ? result.to : undefined
}

/**
 * The chosen language; else the one that the client requests (`ui_locales`, OpenID Connect Core §3.1.2.1); else that of
 * the browser.
 */
function localeOf(
  request: FastifyRequest,
  { languages, default_language }: Pick<branding.Branding, 'languages' | 'default_language'>,
): Locale {
  const cookies = parseCookie((request.headers.cookie ?? '').slice(0, 16_384))
  const { ui_locales } = request.query as { ui_locales?: unknown }
  const asked = typeof ui_locales === 'string' ? ui_locales.slice(0, 200).match(/[\w-]+/g) : null
  const preferred = [...(asked ?? []), ...acceptedLanguages(request.headers['accept-language'])]
  return negotiateAmong(languages, cookies[LANGUAGE_COOKIE], preferred) ?? default_language
}

function go(reply: FastifyReply, to: string) {
  return reply.header('cache-control', 'no-store').header('vary', 'Cookie').redirect(to, 302)
}

/** Merges the query of the request into a redirect: `/register?redirect=…` keeps its parameter. */
function withQuery(to: string, search: string): string {
  const [path, own = ''] = to.split('?')
  const query = new URLSearchParams(search)
  for (const [name, value] of new URLSearchParams(own)) query.set(name, value)
  return query.size ? `${path}?${query}` : to
}
