// `npm run conformance:run [-- words of a plan's name …]`: runs test plans of the OpenID Foundation's conformance suite against
// the server of `npm run conformance:server` (docs/guides/conformance.md). A browser visits the URLs that test modules request,
// and the requested screenshots are uploaded. The logs of the suite are written to data/conformance/results.
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { chromium, request } from '@playwright/test'
import { SERVER } from '../../scripts/build/server-bundle.ts'
import { ROOT } from '../../scripts/run-command.ts'
import { ensureChromium } from '../../scripts/suites/chromium.ts'
import { type Behavior, type BrowserTask, runBrowserTask } from './browser-user.ts'
import { PLANS, type Plan } from './plans.ts'

type Module = { testModule: string; variant?: Record<string, string> }
type Status = { status: string; result: string }
type Entry = { src: string; msg?: string; result?: string; requirements?: string[]; upload?: string; img?: string }

const SUITE = process.env.CONFORMANCE_SUITE ?? 'https://localhost.emobix.co.uk:8443'
/** Some modules wait for half a minute. */
const TIMEOUT_MS = 5 * 60_000
const data = join(ROOT, 'data/conformance')
const results = join(data, 'results')
const words = process.argv.slice(2)

await mkdir(results, { recursive: true })
// A suite on this machine has a self-signed certificate.
const suite = await request.newContext({ baseURL: SUITE, ignoreHTTPSErrors: true })
const browser = await chromium.launch({
  executablePath: await ensureChromium(),
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic'],
})
for (const plan of PLANS) {
  const name = `${plan.name} ${Object.values(plan.variant).join(' ')}`
  const named = words.length > 0 && words.every((word) => name.includes(word))
  if (named || (words.length === 0 && !plan.optional)) await runPlan(name, plan)
}
await browser.close()
await suite.dispose()

async function runPlan(title: string, { name, variant, config = 'plans.json' }: Plan): Promise<void> {
  const plan = await callSuite<{ id: string; modules: Module[] }>('post', '/api/plan', {
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
  const { id } = await callSuite<{ id: string }>('post', '/api/runner', { params })
  const result = await visitUntilFinished(id, test)
  const log = await callSuite<Entry[]>('get', `/api/log/${id}`)
  await writeFile(join(results, `${test}-${id}.json`), JSON.stringify(log, null, 2))
  console.log(`  ${result.padEnd(11)} ${test}`)
  for (const { src, msg, result, requirements = [] } of log) {
    if (result === 'WARNING' || result === 'FAILURE') {
      console.log(`              ${result} ${src}: ${msg} ${requirements.join(', ')}`)
    }
  }
  return result
}

/** Visits the URLs of a module in a new browser context until it has finished; returns its result. */
async function visitUntilFinished(id: string, test: string): Promise<string> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en-US' })
  const visited: string[] = []
  try {
    for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await wait(200)) {
      const { status, result } = await callSuite<Status>('get', `/api/info/${id}`)
      if (status === 'FINISHED') return result
      if (status === 'INTERRUPTED') return status
      // The module has read the signing keys and starts after a rotation.
      if (status === 'CONFIGURED') {
        await rotateKeys()
        await suite.post(`/api/runner/${id}`)
      }
      if (status !== 'WAITING') continue
      const { browser } = await callSuite<{ browser: { urlsWithMethod: BrowserTask[] } }>('get', `/api/runner/${id}`)
      const [task] = browser.urlsWithMethod
      if (!task) continue
      // Only screenshots requested both before and after the visit show this page.
      const before = await requestedScreenshots(id)
      await suite.post(`/api/runner/browser/${id}/visit`, { params: { url: task.url } })
      const behavior = behaviorFor(test, visited.includes(task.url))
      visited.push(task.url)
      const screenshots = await runBrowserTask(context, task, { suite: SUITE, behavior })
      // Some modules need either a screenshot or the redirect, and detect the redirect with a delay.
      if (before.length > 0) await wait(2000)
      const after = await requestedScreenshots(id)
      for (const { upload, msg } of after.filter(({ upload }) => before.some((it) => it.upload === upload))) {
        const screenshot = /successful/.test(msg ?? '') ? screenshots.last : screenshots.first
        await suite.post(`/api/log/${id}/images/${upload}`, {
          data: screenshot,
          headers: { 'content-type': 'text/plain' },
        })
        await writeFile(join(results, `${id}.jpg`), screenshot.slice(screenshot.indexOf(',') + 1), 'base64')
      }
    }
    return 'STUCK'
  } finally {
    await context.close()
  }
}

/** Rotates the signing keys by the command for operators (docs/guides/operate.md) and waits until they are published. */
async function rotateKeys(): Promise<void> {
  const { server } = JSON.parse(await readFile(join(data, 'plans.json'), 'utf8'))
  const jwks = new URL('/jwks', server.discoveryUrl).href
  const published = async () => (await suite.get(jwks)).text()
  const before = await published()
  const env = { ...process.env, VRATA_DATA_DIR: data, VRATA_DATABASE_URL: 'sqlite', VRATA_SECRET: '' }
  await promisify(execFile)(process.execPath, [SERVER, 'keys', 'rotate'], { env })
  while ((await published()) === before) await wait(1000)
}

/** The user's behavior that the summary of a module asks for. */
function behaviorFor(test: string, isVisited: boolean): Behavior {
  if (test.includes('user-rejects')) return 'deny'
  return test.includes('prior-to-auth-completion') && !isVisited ? 'view' : 'allow'
}

async function requestedScreenshots(id: string): Promise<Entry[]> {
  return (await callSuite<Entry[]>('get', `/api/log/${id}/images`)).filter(({ upload, img }) => upload && !img)
}

async function callSuite<T>(method: 'get' | 'post', path: string, options = {}): Promise<T> {
  const response = await suite[method](path, options)
  if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`)
  return response.json()
}
