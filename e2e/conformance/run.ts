// `npm run conformance:run [-- words of a plan's name …]`: runs plans of the OpenID Foundation's suite, which runs elsewhere,
// against the server of `npm run conformance:server` (docs/guides/conformance.md). A real browser goes wherever a module sends
// the person, and the pictures that modules ask for are handed in. What the suite wrote down lands in data/conformance/results.
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { chromium, request } from '@playwright/test'
import { ensureChromium } from '../../scripts/chromium.ts'
import { ROOT } from '../../scripts/command.ts'
import { SERVER } from '../../scripts/server-bundle.ts'
import { type Errand, type Mood, runErrand } from './person.ts'
import { PLANS, type Plan } from './plans.ts'

type Module = { testModule: string; variant?: Record<string, string> }
type Status = { status: string; result: string }
type Entry = { src: string; msg?: string; result?: string; requirements?: string[]; upload?: string; img?: string }

const SUITE = process.env.CONFORMANCE_SUITE ?? 'https://localhost.emobix.co.uk:8443'
/** Some modules wait half a minute by themselves. */
const PATIENCE = 5 * 60_000
const data = join(ROOT, 'data/conformance')
const results = join(data, 'results')
const wanted = process.argv.slice(2)

await mkdir(results, { recursive: true })
// A suite of one's own has a certificate of its own.
const suite = await request.newContext({ baseURL: SUITE, ignoreHTTPSErrors: true })
const browser = await chromium.launch({
  executablePath: await ensureChromium(),
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic'],
})
for (const plan of PLANS) {
  const name = `${plan.name} ${Object.values(plan.variant).join(' ')}`
  const named = wanted.length > 0 && wanted.every((word) => name.includes(word))
  if (named || (wanted.length === 0 && !plan.beyond)) await runPlan(name, plan)
}
await browser.close()
await suite.dispose()

async function runPlan(title: string, { name, variant, config = 'plans.json' }: Plan): Promise<void> {
  const plan = await ask<{ id: string; modules: Module[] }>('post', '/api/plan', {
    params: { planName: name, variant: JSON.stringify(variant) },
    data: JSON.parse(await readFile(join(data, config), 'utf8')),
  })
  console.log(`\n${title}\n${SUITE}/plan-detail.html?plan=${plan.id}`)
  const counts = new Map<string, number>()
  for (const module of plan.modules) {
    const result = await runModule(plan.id, module)
    counts.set(result, (counts.get(result) ?? 0) + 1)
    if (['FAILED', 'INTERRUPTED', 'STUCK'].includes(result)) process.exitCode = 1
  }
  console.log([...counts].map(([result, count]) => `${count} ${result.toLowerCase()}`).join(', '))
}

async function runModule(plan: string, { testModule: test, variant = {} }: Module): Promise<string> {
  const params = { test, plan, variant: JSON.stringify(variant) }
  const { id } = await ask<{ id: string }>('post', '/api/runner', { params })
  const result = await accompany(id, test)
  const log = await ask<Entry[]>('get', `/api/log/${id}`)
  await writeFile(join(results, `${test}-${id}.json`), JSON.stringify(log, null, 2))
  console.log(`  ${result.padEnd(11)} ${test}`)
  for (const { src, msg, result, requirements = [] } of log) {
    if (result === 'WARNING' || result === 'FAILURE') {
      console.log(`              ${result} ${src}: ${msg} ${requirements.join(', ')}`)
    }
  }
  return result
}

/** Lends the module a person with a fresh browser until it has finished, and answers what it found. */
async function accompany(id: string, test: string): Promise<string> {
  const person = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en-US' })
  const visited: string[] = []
  try {
    for (const end = Date.now() + PATIENCE; Date.now() < end; await wait(200)) {
      const { status, result } = await ask<Status>('get', `/api/info/${id}`)
      if (status === 'FINISHED') return result
      if (status === 'INTERRUPTED') return status
      // It has read our keys, and begins when there are new ones.
      if (status === 'CONFIGURED') {
        await rotateKeys()
        await suite.post(`/api/runner/${id}`)
      }
      if (status !== 'WAITING') continue
      const { browser } = await ask<{ browser: { urlsWithMethod: Errand[] } }>('get', `/api/runner/${id}`)
      const [errand] = browser.urlsWithMethod
      if (!errand) continue
      // Wanted before and after: what is asked for later is a picture of something else.
      const before = await picturesWanted(id)
      await suite.post(`/api/runner/browser/${id}/visit`, { params: { url: errand.url } })
      const mood = moodFor(test, visited.includes(errand.url))
      visited.push(errand.url)
      const seen = await runErrand(person, errand, { suite: SUITE, mood })
      // Some modules want either a picture or the person back, and take a moment to see that they are.
      if (before.length > 0) await wait(2000)
      const after = await picturesWanted(id)
      for (const { upload, msg } of after.filter(({ upload }) => before.some((it) => it.upload === upload))) {
        const shown = /successful/.test(msg ?? '') ? seen.last : seen.first
        await suite.post(`/api/log/${id}/images/${upload}`, { data: shown, headers: { 'content-type': 'text/plain' } })
        await writeFile(join(results, `${id}.jpg`), shown.slice(shown.indexOf(',') + 1), 'base64')
      }
    }
    return 'STUCK'
  } finally {
    await person.close()
  }
}

/** As an operator does (docs/guides/operate.md). */
async function rotateKeys(): Promise<void> {
  const { server } = JSON.parse(await readFile(join(data, 'plans.json'), 'utf8'))
  const jwks = new URL('/jwks', server.discoveryUrl).href
  const published = async () => (await suite.get(jwks)).text()
  const before = await published()
  const env = { ...process.env, VRATA_DATA_DIR: data, VRATA_DATABASE_URL: 'sqlite', VRATA_SECRET: '' }
  await promisify(execFile)(process.execPath, [SERVER, 'keys', 'rotate'], { env })
  while ((await published()) === before) await wait(1000)
}

/** What the summary of a module asks of its tester. */
function moodFor(test: string, again: boolean): Mood {
  if (test.includes('user-rejects')) return 'refusing'
  return test.includes('prior-to-auth-completion') && !again ? 'looking' : 'willing'
}

async function picturesWanted(id: string): Promise<Entry[]> {
  return (await ask<Entry[]>('get', `/api/log/${id}/images`)).filter(({ upload, img }) => upload && !img)
}

async function ask<T>(method: 'get' | 'post', path: string, options = {}): Promise<T> {
  const answer = await suite[method](path, options)
  if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`)
  return answer.json()
}
