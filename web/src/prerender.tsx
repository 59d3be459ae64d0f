import { createMemoryHistory } from '@tanstack/react-router'
import { LOCALES, type Locale, type PagePlan, type PlannedPage } from '@vrata/contract'
import { prerender } from 'react-dom/static'
import { App, makeRouter, makeWires } from './app.tsx'
import { titleOf } from './root.tsx'
import { type Each, type FlatRow, flatRows } from './routes.tsx'
import { Failed, Skeleton } from './skeletons.tsx'

/** A page as rendered; the plan (`build/plan.ts`) adds what the bundle knows. */
export type Page = Omit<PlannedPage, 'pattern' | 'scripts'> & {
  /** Path with `$param` and `{-$optional}` as in the route table. */
  path: string
  /** Slices of phrases that the page says. */
  phrases: readonly string[]
  /** Source files of the page and of what is around it. */
  files: readonly string[]
}
export type Rendered = { pages: Page[]; missing: Page; frame: PagePlan['frame'] }

/** The parameters of a page that nobody has asked for yet; nothing of them may reach the HTML. */
const PLACEHOLDER = 'prerender'

/** Addresses at which a page begins with another step: what they say behind the question mark, and where its code is. */
const TURNED: Record<string, { query: Record<string, string>; file: string }> = {
  '/login': { query: { register: 'true' }, file: 'src/features/auth/login-steps.tsx' },
}

type Words = Record<'heading' | 'text' | 'reload' | 'noscript', string>
const FAILED = import.meta.glob<Words>('../../phrases/src/*/failed.ts', { eager: true, import: 'failed' })

/** Renders every public page in every language, and a skeleton for every other one. */
export async function renderPages(): Promise<Rendered> {
  const pages: Page[] = []
  for (const row of flatRows()) {
    for (const one of (await row.each?.()) ?? []) pages.push(await renderOne(row, one))
    const turned = TURNED[row.path]
    if (turned) pages.push(await renderPage({ ...row, files: [...row.files, turned.file] }, turned.query))
    pages.push({ ...(await renderPage(row)), ...(row.each ? { absent: true } : {}) })
  }
  const missing = await renderPage({
    path: '/prerender/missing',
    needs: 'nobody',
    shell: 'public',
    phrases: [],
    files: ['src/shell/not-found.tsx'],
  })
  return { pages, missing, frame: await frames() }
}

async function renderPage(row: FlatRow, query?: Record<string, string>): Promise<Page> {
  const prerendered = row.needs === 'nobody' && !row.redirect
  const titles = {} as Page['titles']
  const html = {} as Page['html']
  for (const locale of LOCALES) {
    if (row.redirect) continue
    const address = row.path.replace(/\{-\$(\w+)\}\/?/g, row.each ? '$$$1' : '').replace(/\$\w+/g, PLACEHOLDER)
    const made = prerendered ? await renderPublic(address, locale, query) : await renderSkeleton(row, locale)
    titles[locale] = made.title
    html[locale] = made.html
  }
  return {
    path: row.path,
    ...(query ? { query } : {}),
    needs: row.needs,
    ...(row.role ? { role: row.role } : {}),
    ...(row.popup ? { popup: true } : {}),
    ...(row.redirect ? { redirect: row.redirect } : {}),
    phrases: ['ui', 'problems', ...row.phrases],
    files: row.files,
    prerendered,
    titles,
    html,
  }
}

/** A row of which the build knows the values of its parameter: each is a page with an address of its own. */
async function renderOne(row: FlatRow, { page, title, file }: Each): Promise<Page> {
  const path = row.path.replace('/{-$page}', page && `/${page}`)
  const made = await renderPage({ ...row, path, files: [...row.files, ...(file ? [file] : [])] })
  if (title) for (const locale of LOCALES) made.titles[locale] = `${title} · ${made.titles[locale]}`
  return made
}

async function renderPublic(address: string, locale: Locale, query: Record<string, string> = {}) {
  const wires = makeWires({ locale, api_base: '', user: null, refresh: false, rendered_for: query })
  const router = makeRouter(wires, createMemoryHistory({ initialEntries: [address] }))
  await router.load()
  const { t } = wires.i18n.now()
  const title = t(titleOf(router.state.matches))
  return { title: `${title} · ${t('ui.product')}`, html: await markup(<App wires={wires} router={router} />) }
}

async function renderSkeleton(row: FlatRow, locale: Locale) {
  const { t } = await words(locale)
  const title = row.title ? `${t(row.title)} · ${t('ui.product')}` : t('ui.product')
  return { title, html: await markup(<Skeleton shell={row.shell} t={t} />) }
}

async function frames(): Promise<PagePlan['frame']> {
  const frame = {} as PagePlan['frame']
  for (const locale of LOCALES) {
    const { heading, text, reload, noscript } = FAILED[`../../phrases/src/${locale}/failed.ts`] as Words
    frame[locale] = {
      failed: await markup(<Failed heading={heading} text={text} reload={reload} />),
      noscript: await markup(<Failed heading={heading} text={noscript} reload={reload} />),
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
