import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PagePlan } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outputOf } from '../../../test/processes/output-of.ts'
import { mountPages } from './pages.ts'

const LOCALES = ['en-US', 'sl-SI', 'hr-HR']
const of = <T>(value: T) => Object.fromEntries(LOCALES.map((locale) => [locale, value]))
const shell = {
  pattern: '^/home/?$',
  needs: 'session',
  prerendered: false,
  titles: of('Home'),
  html: of('<p>the plain shell</p>'),
  scripts: of(['/assets/main-1.js']),
  phrases: of([]),
}
const plan = {
  pages: [shell],
  missing: { ...shell, pattern: '^/missing$', needs: 'nobody' },
  frame: of({ failed: 'failed', noscript: 'noscript' }),
  css: '',
  early: '',
  entry: '/assets/main-1.js',
  fonts: of([]),
} as unknown as PagePlan

/** Renders as the address says. */
const RENDERER = `export async function renderPage({ href, boot, fetch }) {
  if (href.includes('throws')) throw new Error('a component throws')
  if (href.includes('fails')) return { boot: { ...boot, answers: ['what was read'] } }
  if (href.includes('leaves')) return { redirect: '/verify' }
  return { boot, html: '<p>the rendered page</p>' }
}`

const errors: string[] = []
let app: FastifyInstance
let dist: string
beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'vrata-pages-'))
  await mkdir(join(dist, 'client/assets'), { recursive: true })
  await mkdir(join(dist, 'server'))
  await writeFile(join(dist, 'package.json'), '{"type":"module"}')
  await writeFile(join(dist, 'pages.json'), JSON.stringify(plan))
  await writeFile(join(dist, 'server/render-page.js'), RENDERER)
  app = Fastify({ logger: { level: 'error', stream: { write: (line: string) => void errors.push(line) } } })
  const url = 'https://vrata.example'
  const user = { first_name: 'Ana' } as UserInfo
  const branding = {
    now: () => ({ languages: ['en-US' as const], default_language: 'en-US' as const }),
    public: () => ({}),
  }
  await mountPages(app, {
    dist,
    url,
    secure: false,
    api_url: url,
    branding,
    visitor: async () => ({ user, refresh: false }),
  })
})
afterAll(async () => {
  await app.close()
  await rm(dist, { recursive: true })
})

const get = async (url: string) => await app.inject({ url })

test('a page of a signed-in user is rendered', async () => {
  const { statusCode, body } = await get('/home')
  expect(statusCode).toBe(200)
  expect(body).toContain('the rendered page')
  expect(body).not.toContain('the plain shell')
  expect((await get('/home?leaves')).headers.location).toBe('/verify')
})

test('a page whose rendering throws is sent as the plain shell with its user, and the error is logged', async () => {
  errors.length = 0
  const { statusCode, body } = await get('/home?throws')
  expect(statusCode).toBe(200)
  expect(body).toContain('the plain shell')
  expect(body).toContain('"first_name":"Ana"')
  expect(errors.join()).toContain('a component throws')
})

test('a page without HTML is sent as the plain shell with what was read', async () => {
  const { body } = await get('/home?fails')
  expect(body).toContain('the plain shell')
  expect(body).toContain('what was read')
})

test('code that could not be loaded once is loaded with the next page', async () => {
  const code = `import './part.js'\nexport const renderPublicPage = async () => 'rendered'`
  const [file, part] = [join(dist, 'late/server/render-page.js'), join(dist, 'late/server/part.js')]
  await mkdir(join(dist, 'late/server'), { recursive: true })
  await writeFile(file, code)
  // Not in this test, where Vitest loads modules.
  const program = `import { writeFile } from 'node:fs/promises'
    const { pageRenderer } = await import(${JSON.stringify(join(import.meta.dirname, 'render-page.ts'))})
    const { renderPublicPage } = pageRenderer({ log: { error() {} } }, ${JSON.stringify(join(dist, 'late'))}, {})
    console.log(await renderPublicPage({}))
    await writeFile(${JSON.stringify(part)}, '')
    console.log(await renderPublicPage({}))`
  expect(await outputOf(program)).toBe('undefined\nrendered\n')
})
