import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Boot,
  LANGUAGE_COOKIE,
  type Locale,
  negotiateLocale,
  type PagePlan,
  type PlannedPage,
  safeRedirect,
} from '@vrata/contract'
import { parseCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mountAssets } from './assets.ts'
import { bestEncoding, compressed } from './compression.ts'
import { documentWriter } from './document.ts'
import { pageHeaders } from './page-headers.ts'

/** What is said about the visitor in the document. */
export type PageVisitor = Omit<Boot, 'locale' | 'api_base'>

/** Answers with the page at the request's address. */
export type PageHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

export type PageOptions = {
  /** Folder of the built pages. */
  dist: string
  /** Public URL of the pages. */
  url: string
  /** Where the pages find the API; the same as `url` unless they live on two hosts. */
  api_url: string
  /** Who asks, by the cookies; answers nobody without any. */
  visitor(request: FastifyRequest): Promise<PageVisitor>
  /** Cookies that a browser must have before the calls of the sign-in page begin. */
  marks?(request: FastifyRequest): string[]
}

type Found = { page: PlannedPage; params: Record<string, string | undefined> }

/** Not the pages' own: an unknown path below these is answered by the API's or the protocol's own words. */
const NOT_PAGES = /^\/(?:v1|\.well-known)(?:\/|$)/

/**
 * Delivers the pages as the build made them (frontend.md §5): the language negotiated, the visitor's own data in the
 * document, everything else static. Answers GET and HEAD of every path that nobody else answers, and hands back how, for
 * those who answer the same paths to others.
 */
export async function mountPages(app: FastifyInstance, options: PageOptions): Promise<PageHandler> {
  const { dist } = options
  const plan: PagePlan = JSON.parse(await readFile(join(dist, 'pages.json'), 'utf8'))
  const pages = plan.pages.map((page) => ({ page, pattern: new RegExp(page.pattern) }))
  const apiBase = options.api_url === options.url ? '' : options.api_url
  const write = documentWriter(plan)
  const headersOf = pageHeaders(plan, { url: options.url, apiBase })
  const kept = new Map<string, Buffer>()

  await mountAssets(app, join(dist, 'client'))
  const answer: PageHandler = async (request, reply) => {
    // Behind a name, so that a path that begins with two slashes is still a path.
    const { pathname, search } = new URL(`https://here.invalid${request.raw.url ?? '/'}`)
    if (NOT_PAGES.test(pathname)) return reply.callNotFound()

    const found = find(pathname, request.query as Record<string, unknown>)
    if (found?.page.redirect) return go(reply, withQuery(filled(found.page.redirect, found.params), search))
    const visitor = await visitorOf(request)
    const elsewhere = found && guarded(found.page, visitor, pathname + search)
    if (elsewhere) return go(reply, elsewhere)
    return send(request, reply, found?.page ?? plan.missing, visitor)
  }
  app.get('/*', answer)
  return answer

  function find(pathname: string, query: Record<string, unknown>): Found | undefined {
    for (const { page, pattern } of pages) {
      const match = pattern.exec(pathname)
      if (match && says(query, page)) return { page, params: match.groups ?? {} }
    }
    return undefined
  }

  /** Pages must open while the database is away; they then show by themselves that it is. */
  async function visitorOf(request: FastifyRequest): Promise<PageVisitor> {
    try {
      return await options.visitor(request)
    } catch (error) {
      request.log.warn({ err: error }, 'the visitor of a page is not known')
      return { user: null, refresh: true }
    }
  }

  async function send(request: FastifyRequest, reply: FastifyReply, page: PlannedPage, visitor: PageVisitor) {
    const locale = localeOf(request)
    const encoding = bestEncoding(request.headers['accept-encoding'])
    const html = () => write(page, locale, { locale, api_base: apiBase, ...visitor })
    reply
      .code(page === plan.missing || page.absent ? 404 : 200)
      .headers(headersOf(page, request.query as Record<string, unknown>))
      .header('content-language', locale)
      .type('text/html; charset=utf-8')
    if (encoding) reply.header('content-encoding', encoding)
    if (page.role === 'login') for (const mark of options.marks?.(request) ?? []) reply.header('set-cookie', mark)

    // A visitor without a session gets the same bytes as the last one: those are compressed well, once.
    const name = `${plan.pages.indexOf(page)} ${locale} ${encoding}`
    if (visitor.user || visitor.refresh || visitor.continue_to)
      return reply.send(await compressed(html(), encoding, 'fast'))
    const body = kept.get(name) ?? (await compressed(html(), encoding, 'small'))
    kept.set(name, body)
    return reply.send(body)
  }
}

/** Whether the address says what the page is for. */
function says(query: Record<string, unknown>, page: PlannedPage): boolean {
  return Object.entries(page.query ?? {}).every(([name, value]) => query[name] === value)
}

/** The two turns of the guard that need no script; all others are the pages' own. */
function guarded(page: PlannedPage, { user, refresh }: PageVisitor, href: string): string | undefined {
  const query = new URL(href, 'https://here.invalid').searchParams
  if (page.role === 'login') {
    // An app may ask for a new sign-in of somebody who is signed in.
    return user && query.get('prompt') !== 'login' ? (safeRedirect(query.get('redirect')) ?? '/') : undefined
  }
  const told = page.role === 'consent' && query.has('error')
  if (page.needs === 'nobody' || told || user || refresh) return undefined
  return `/login?${new URLSearchParams({ redirect: safeRedirect(href) ?? '/', skip: 'true' })}`
}

/**
 * What the visitor has chosen here; else what the app that sent them asks for (`ui_locales`, OpenID Connect Core
 * §3.1.2.1); else what their browser prefers.
 */
function localeOf(request: FastifyRequest): Locale {
  const cookies = parseCookie((request.headers.cookie ?? '').slice(0, 16_384))
  const { ui_locales } = request.query as { ui_locales?: unknown }
  const asked = typeof ui_locales === 'string' ? ui_locales.slice(0, 200).match(/[\w-]+/g) : null
  const preferred = [...(asked ?? []), request.headers['accept-language'] ?? ''].join(',')
  return negotiateLocale(cookies[LANGUAGE_COOKIE], preferred)
}

function go(reply: FastifyReply, to: string) {
  return reply.header('cache-control', 'no-store').header('vary', 'Cookie').redirect(to, 302)
}

/** Puts parameters into a path of the plan; an optional one that is absent takes its slash with it. */
function filled(path: string, params: Found['params']): string {
  return path.replace(/\/\{-\$(\w+)\}|\/\$(\w+)/g, (_, optional, wanted) => {
    const value = params[optional ?? wanted]
    return value === undefined ? '' : `/${value}`
  })
}

/** Keeps what the visitor brought: `/register?redirect=…` is still on the way to the same place. */
function withQuery(to: string, search: string): string {
  const [path, own = ''] = to.split('?')
  const query = new URLSearchParams(search)
  for (const [name, value] of new URLSearchParams(own)) query.set(name, value)
  return query.size ? `${path}?${query}` : to
}
