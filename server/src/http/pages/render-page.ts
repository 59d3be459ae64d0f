import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Boot } from '@vrata/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { loadedOnce } from '../../lib/loaded-once.ts'
import type { RenderPublicPage } from './branded-pages.ts'
import { PageCalls } from './page-calls.ts'

/** The module of the pages that renders one (`web/src/render-page.tsx`). */
type Renderer = {
  renderPage(page: {
    href: string
    origin: string
    boot: Boot
    fetch: typeof fetch
  }): Promise<{ redirect: string } | { boot: Boot; html?: string }>
  renderPublicPage: RenderPublicPage
}

/** A document of a signed-in user: a redirect of the guard, or data with or without HTML; and cookies to set. */
export type RenderedDocument = { redirect?: string; boot?: Boot; html?: string; cookies: string[] }

/** Milliseconds after which the browser gets the document without data, and makes the calls itself. */
const TOO_LONG = 3000

/**
 * Renders pages of signed-in users with their data. The code of the pages loads with the first of them, so that the server
 * starts without it. Undefined where there is nothing to render with (development), or rendering fails or takes too long.
 */
export function pageRenderer(app: FastifyInstance, dist: string, config: Pick<Config, 'url' | 'api_url'>) {
  const file = join(dist, 'server/render-page.js')
  const exists = existsSync(file)
  const load = loadedOnce<Renderer>(() => import(pathToFileURL(file).href))

  const renderPublicPage: RenderPublicPage = async (page) => {
    if (!exists) return undefined
    try {
      return await (await load()).renderPublicPage(page)
    } catch (error) {
      app.log.error({ err: error }, 'a public page was not rendered')
      return undefined
    }
  }
  const render = async (request: FastifyRequest, boot: Boot): Promise<RenderedDocument | undefined> => {
    if (!exists) return undefined
    try {
      const { renderPage } = await load()
      const calls = new PageCalls(app, config, request)
      const page = { href: request.raw.url ?? '/', origin: new URL(config.url).origin, boot, fetch: calls.fetch }
      const rendered = await Promise.race([renderPage(page), waited(TOO_LONG)])
      return { ...rendered, cookies: calls.setCookies }
    } catch (error) {
      request.log.error({ err: error }, 'a page was not rendered')
      return undefined
    }
  }
  return { render, renderPublicPage }
}

function waited(milliseconds: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds, undefined).unref())
}
