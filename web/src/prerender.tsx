import { LOCALES, type Locale, type PagePlan, type PlannedPage } from '@vrata/contract'
import { createAppContext } from './app.tsx'
import { markup } from './markup.ts'
import { renderPublic } from './render-public.tsx'
import { type FlatRow, flatRows, type ParamValue } from './routes.tsx'
import { Failed, Skeleton } from './skeletons.tsx'

/** A rendered page; `build/page-plan.ts` adds the chunks. */
export type Page = Omit<PlannedPage, 'pattern' | 'scripts' | 'phrases'> & {
  /** Path with `$param` and `{-$optional}` as in the route table. */
  path: string
  /** Phrase files of the page. */
  phrases: readonly string[]
  /** Source files of the page and its layouts. */
  files: readonly string[]
}
export type Rendered = { pages: Page[]; missing: Page; frame: PagePlan['frame'] }

/** Placeholder of path parameters; it must not appear in the HTML. */
const PLACEHOLDER = 'prerender'

/** Query parameters of addresses that have their own prerendered step, with the file of its code. */
const QUERY_VARIANTS: Record<string, { names: string[]; file: string }> = {
  '/login': { names: ['register', 'forgot', 'sent', 'otp'], file: 'src/features/sign-in/login-steps.tsx' },
}

type Words = Record<'heading' | 'text' | 'reload' | 'noscript_heading' | 'noscript', string>
const FAILED = import.meta.glob<Words>('../../phrases/src/*/load-failure.ts', { eager: true, import: 'phrases' })

/** Renders public pages in every language, and a skeleton for every other page. */
export async function renderPages(): Promise<Rendered> {
  const pages: Page[] = []
  for (const row of flatRows()) {
    for (const one of (await row.paramValues?.()) ?? []) pages.push(await renderOne(row, one))
    const { names = [], file } = QUERY_VARIANTS[row.path] ?? {}
    for (const name of names) {
      const phrases = name === 'otp' ? (['second-factor'] as const) : []
      const files = file ? [...row.files, file] : row.files
      pages.push(await renderPage({ ...row, files, phrases: [...row.phrases, ...phrases] }, { [name]: 'true' }))
    }
    pages.push({ ...(await renderPage(row)), ...(row.paramValues ? { absent: true } : {}) })
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
  const address = row.path.replace(/\{-\$(\w+)\}\/?/g, row.paramValues ? '$$$1' : '').replace(/\$\w+/g, PLACEHOLDER)
  for (const locale of LOCALES) {
    if (row.redirect) continue
    const boot = { locale, api_base: '', user: null, refresh: false }
    const rendered = prerendered ? await renderPublic({ address, query, boot }) : await renderSkeleton(row, locale)
    titles[locale] = rendered.title
    html[locale] = rendered.html
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
    ...(prerendered ? { address } : {}),
    titles,
    html,
  }
}

/** A row with known parameter values: each is a page with its own address. */
async function renderOne(row: FlatRow, { page, title, file }: ParamValue): Promise<Page> {
  const path = row.path.replace('/{-$page}', page && `/${page}`)
  const rendered = await renderPage({ ...row, path, files: [...row.files, ...(file ? [file] : [])] })
  if (title) for (const locale of LOCALES) rendered.titles[locale] = `${title} · ${rendered.titles[locale]}`
  return rendered
}

async function renderSkeleton(row: FlatRow, locale: Locale) {
  const { t } = await words(locale, row.phrases)
  const title = row.title ? `${t(row.title)} · ${t('ui.product')}` : t('ui.product')
  return { title, html: await markup(<Skeleton shell={row.shell} t={t} />) }
}

async function frames(): Promise<PagePlan['frame']> {
  const frame = {} as PagePlan['frame']
  for (const locale of LOCALES) {
    const words = FAILED[`../../phrases/src/${locale}/load-failure.ts`] as Words
    const { heading, text, reload, noscript_heading, noscript } = words
    frame[locale] = {
      failed: await markup(<Failed heading={heading} text={text} reload={reload} />),
      noscript: await markup(<Failed heading={noscript_heading} text={noscript} reload={reload} />),
    }
  }
  return frame
}

async function words(locale: Locale, files: FlatRow['phrases']) {
  const context = createAppContext({ locale, api_base: '', user: null, refresh: false })
  await context.i18n.load(['ui', ...files])
  return context.i18n.now()
}
