import { createMemoryHistory } from '@tanstack/react-router'
import { LOCALES, type Locale } from '@vrata/contract'
import { prerender } from 'react-dom/static'
import { App, makeRouter, makeWires } from './app.tsx'
import { titleOf } from './root.tsx'
import { type FlatRow, flatRows } from './routes.tsx'
import { Failed, Skeleton } from './skeletons.tsx'

/** One page of the plan that the server delivers from. */
export type Page = {
  /** Path with `$param` and `{-$optional}` as in the route table. */
  path: string
  needs: string
  role?: string
  /** Where the server sends the browser instead, `$params` kept. */
  redirect?: string
  /** Slices of phrases that the page says. */
  phrases: readonly string[]
  /** Source files of the page and of what is around it. */
  files: readonly string[]
  /** Rendered by React and to be hydrated; otherwise a skeleton. */
  prerendered: boolean
  titles: Record<Locale, string>
  /** What stands inside the root element. */
  html: Record<Locale, string>
}

/** Words of the document around a page. */
export type Frame = Record<Locale, { failed: string; noscript: string; product: string }>

/** The parameters of a page that nobody has asked for yet; nothing of them may reach the HTML. */
const PLACEHOLDER = 'prerender'

/** Renders every public page in every language, and a skeleton for every other one. */
export async function renderPages(): Promise<{ pages: Page[]; missing: Page; frame: Frame }> {
  const pages: Page[] = []
  for (const row of flatRows()) pages.push(await renderPage(row))
  const missing = await renderPage({
    path: '/prerender/missing',
    needs: 'nobody',
    shell: 'public',
    phrases: [],
    files: ['src/shell/not-found.tsx'],
  })
  return { pages, missing, frame: await frames() }
}

async function renderPage(row: FlatRow): Promise<Page> {
  const prerendered = row.needs === 'nobody' && !row.redirect
  const titles = {} as Page['titles']
  const html = {} as Page['html']
  for (const locale of LOCALES) {
    if (row.redirect) continue
    const address = row.path.replace(/\{-\$\w+\}\/?/g, '').replace(/\$\w+/g, PLACEHOLDER)
    const made = prerendered ? await renderPublic(address, locale) : await renderSkeleton(row, locale)
    titles[locale] = made.title
    html[locale] = made.html
  }
  return {
    path: row.path,
    needs: row.needs,
    ...(row.role ? { role: row.role } : {}),
    ...(row.redirect ? { redirect: row.redirect } : {}),
    phrases: ['ui', 'problems', ...row.phrases],
    files: row.files,
    prerendered,
    titles,
    html,
  }
}

async function renderPublic(address: string, locale: Locale) {
  const wires = makeWires({ locale, api_base: '', user: null, refresh: false })
  const router = makeRouter(wires, createMemoryHistory({ initialEntries: [address] }))
  await router.load()
  const { t } = wires.i18n.now()
  const title = t(titleOf(router.state.matches))
  return { title: `${title} · ${t('ui.product')}`, html: await markup(<App wires={wires} router={router} />) }
}

async function renderSkeleton(row: FlatRow, locale: Locale) {
  const { t } = await words(locale)
  const title = row.title ? `${t(row.title)} · ${t('ui.product')}` : t('ui.product')
  return { title, html: await markup(<Skeleton shell={row.shell} />) }
}

async function frames(): Promise<Frame> {
  const frame = {} as Frame
  for (const locale of LOCALES) {
    const { t } = await words(locale)
    frame[locale] = {
      failed: await markup(
        <Failed heading={t('ui.failed.heading')} text={t('ui.failed.text')} reload={t('ui.failed.reload')} />,
      ),
      noscript: t('ui.noscript'),
      product: t('ui.product'),
    }
  }
  return frame
}

async function words(locale: Locale) {
  const wires = makeWires({ locale, api_base: '', user: null, refresh: false })
  await wires.i18n.load(['ui'])
  return wires.i18n.now()
}

async function markup(element: React.ReactNode): Promise<string> {
  const { prelude } = await prerender(element, {
    onError(error) {
      throw error
    },
  })
  const html = await new Response(prelude).text()
  // React hoists preloads of images to the front; the policy forbids inline styles, so one here is a mistake of a page.
  const styled = /<[^>]+ style="[^"]*"[^>]*>/.exec(html)
  if (styled) throw new Error(`An inline style in a prerendered page would be blocked: ${styled[0]}`)
  return html
}
