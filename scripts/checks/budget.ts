// Size budgets of /login and of the sign-in script for third-party pages, in kilobytes after Brotli, and requests of the
// first page of signed-in users (pages §3, §7).
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import {
  accentTokens,
  type branding,
  LIMITS,
  LOCALES,
  type PagePlan,
  type PlannedPage,
} from '../../contract/src/index.ts'
import { CATALOGS } from '../../phrases/src/translate.ts'
import { documentWriter } from '../../server/src/http/pages/html-document.ts'
import { ensurePages } from '../build/pages.ts'
import { ROOT } from '../run-command.ts'
import type { TestResult } from '../suites/test-result.ts'

const BUDGET = { js: 115, css: 10, html: 14 }
/** Bytes that name, colors, texts and links of an installation may add to the document (operators §6). */
const BRANDING_BUDGET = 2
const SIGN_IN_BUDGET = 4

/** Document, fonts and scripts of a page; its data and phrases are in the document. */
const REQUESTS = 12
/** Kilobytes of these scripts after Brotli. */
const SIGNED_IN_JS = 160

type Kind = keyof typeof BUDGET

/** Builds the pages and measures /login; the largest of all languages counts. */
export async function runBudget(): Promise<TestResult> {
  await ensurePages()
  const weighed = Object.entries(weighLogin()) as [Kind, number][]
  console.log(`/login: ${weighed.map(([kind, kb]) => `${kb.toFixed(1)} KB of ${kind}`).join(', ')}`)
  const heavy = weighed.filter(([kind, kb]) => kb > BUDGET[kind])
  const report = heavy.map(([kind, kb]) => `/login has ${kb.toFixed(1)} KB of ${kind}; ${BUDGET[kind]} are allowed.`)
  const branded = weighBranding()
  console.log(`/login with a look of its own: ${branded.toFixed(1)} KB more`)
  if (branded > BRANDING_BUDGET)
    report.push(`Branding adds ${branded.toFixed(1)} KB to /login; ${BRANDING_BUDGET} are allowed.`)
  const signIn = sizeOf(join(ROOT, 'web/dist/client/sign-in.js'))
  console.log(`/sign-in.js: ${signIn.toFixed(1)} KB`)
  if (signIn > SIGN_IN_BUDGET) report.push(`/sign-in.js has ${signIn.toFixed(1)} KB; ${SIGN_IN_BUDGET} are allowed.`)
  const pages = weighSignedIn()
  const most = (pick: (page: SignedInPage) => number) => Math.max(...pages.map(pick))
  console.log(
    `pages of signed-in users: at most ${most((p) => p.requests)} requests, ${most((p) => p.js).toFixed(1)} KB of js`,
  )
  for (const { pattern, requests, js } of pages) {
    if (requests > REQUESTS) report.push(`${pattern} needs ${requests} requests; ${REQUESTS} are allowed.`)
    if (js > SIGNED_IN_JS) report.push(`${pattern} has ${js.toFixed(1)} KB of js; ${SIGNED_IN_JS} are allowed.`)
  }
  const checks = weighed.length + 2 + 2 * pages.length
  return { passed: checks - report.length, failed: report.length, report: report.join('\n') }
}

type SignedInPage = { pattern: string; requests: number; js: number }

function weighSignedIn(): SignedInPage[] {
  const dist = join(ROOT, 'web/dist')
  const plan: PagePlan = JSON.parse(readFileSync(join(dist, 'pages.json'), 'utf8'))
  return plan.pages
    .filter(({ needs, redirect }) => needs !== 'nobody' && !redirect)
    .flatMap(({ pattern, scripts }) =>
      LOCALES.map((locale) => {
        const files = [...new Set([plan.entry, ...scripts[locale]])]
        const js = sum(files.map((file) => sizeOf(join(dist, 'client', file))))
        return { pattern, requests: 1 + plan.fonts[locale].length + files.length, js }
      }),
    )
}

function weighLogin(): Record<Kind, number> {
  const dist = join(ROOT, 'web/dist')
  const plan: PagePlan = JSON.parse(readFileSync(join(dist, 'pages.json'), 'utf8'))
  const login = plan.pages.find(({ role, query }) => role === 'login' && !query)
  if (!login) throw new Error('The page plan has no login page.')
  const whole = withHtml(login)
  const write = documentWriter(plan)
  const heaviest = { js: 0, css: brotli(plan.css), html: 0 }
  for (const locale of LOCALES) {
    const files = [...new Set([plan.entry, ...login.scripts[locale], ...login.phrases[locale]])]
    const document = write(whole, locale, { locale, api_base: '', user: null, refresh: false })
    heaviest.js = Math.max(heaviest.js, sum(files.map((file) => sizeOf(join(dist, 'client', file)))))
    heaviest.html = Math.max(heaviest.html, brotli(document))
  }
  return heaviest
}

function withHtml(page: PlannedPage): PlannedPage {
  return page.file ? { ...page, html: JSON.parse(readFileSync(join(ROOT, 'web/dist', page.file), 'utf8')) } : page
}

/** The most that branding adds to the document of /login: every field, and the longest text in each language, once more in the page. */
function weighBranding(): number {
  const plan: PagePlan = JSON.parse(readFileSync(join(ROOT, 'web/dist/pages.json'), 'utf8'))
  const login = withHtml(plan.pages.find(({ role, query }) => role === 'login' && !query) as PlannedPage)
  const write = documentWriter(plan)
  const proseOf = (locale: keyof typeof CATALOGS) =>
    Object.values(CATALOGS[locale].privacy ?? {})
      .join(' ')
      .slice(0, LIMITS.sign_in_text_max)
  const words = {
    name: 'Združenje prostovoljcev',
    support_url: 'https://www.association.example/about/help',
    imprint_url: 'https://www.association.example/about/imprint',
    sign_in_text: Object.fromEntries(LOCALES.map((locale) => [locale, proseOf(locale)])),
    languages: [...LOCALES],
  }
  const look: branding.PublicBranding = {
    ...words,
    colors: accentTokens('#7a1fa2'),
    logo: 'kR3vW9pQzX1sT5uY7bN2mA.webp',
    logo_dark: 'Zt8LqE4hJ6cV0xD1fG3sPw.webp',
    icon: 'Ma5Kd2Wn9RbY7uHc4TqXe1.webp',
  }
  return Math.max(
    ...LOCALES.map((locale) => {
      const boot = { locale, api_base: '', user: null, refresh: false }
      const footer = `<footer><a href="${words.support_url}">Help</a><a href="${words.imprint_url}">Legal</a></footer>`
      const html = { ...login.html, [locale]: `${login.html[locale]}<p>${proseOf(locale)}</p>${footer}` }
      const branded = write({ ...login, html }, locale, { ...boot, branding: words }, { look })
      return brotli(branded) - brotli(write(login, locale, boot))
    }),
  )
}

function sizeOf(file: string): number {
  return existsSync(`${file}.br`) ? statSync(`${file}.br`).size / 1024 : brotli(readFileSync(file))
}

const brotli = (text: string | Buffer) => brotliCompressSync(text).length / 1024
const sum = (figures: number[]) => figures.reduce((total, figure) => total + figure, 0)
