import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type APIRequestContext, chromium, request } from '@playwright/test'
import { ensureChromium } from '../../scripts/suites/chromium.ts'
import { type Behavior, type BrowserTask, runBrowserTask } from './browser-user.ts'
import type { Picture } from './pictures.ts'
import type { Plan } from './plans.ts'
import type { Finding, PlanResult } from './results.ts'

type Module = { testModule: string; variant?: Record<string, string> }
type Status = { status: string; result: string }
type Entry = { src: string; msg?: string; result?: string; requirements?: string[]; upload?: string; img?: string }

/** Some modules wait for half a minute. */
const TIMEOUT_MS = 5 * 60_000

/** Milliseconds within which a busy suite answers a call of its API. */
const ANSWER_MS = 120_000

/** Milliseconds within which a busy suite has processed a redirect. */
const REDIRECT_MS = 30_000

export type RunnerOptions = {
  /** Address of the suite. */
  suite: string
  /** Folder for logs and screenshots. */
  results: string
  /** The modules whose names contain one of these words; all without words. */
  modules: readonly string[]
  /** Rotates the signing keys of Vrata and waits until they are published. */
  rotateKeys(): Promise<void>
  /** Answers the newest backchannel authentication request since that time in place of the user, if there is one. */
  answerRequest(decision: 'allow' | 'deny', since: Date): Promise<void>
}

export type Runner = {
  /** Version and revision of the suite. */
  version: string
  runPlan(plan: Plan, configuration: object): Promise<PlanResult>
  /** The signed package of a plan, as a ZIP file, that the Foundation wants for a certification. */
  downloadPackage(id: string): Promise<Buffer>
  close(): Promise<void>
}

/** Starts Chromium in place of a user, for the plans of a running suite. */
export async function startRunner(options: RunnerOptions): Promise<Runner> {
  // A suite on this machine has a self-signed certificate.
  const suite = await request.newContext({
    baseURL: options.suite,
    ignoreHTTPSErrors: true,
    ...(process.env.CONFORMANCE_SUITE_TOKEN && {
      extraHTTPHeaders: { authorization: `Bearer ${process.env.CONFORMANCE_SUITE_TOKEN}` },
    }),
  })
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic'],
  })
  const call = <T>(method: 'get' | 'post', path: string, body = {}) => callSuite<T>(suite, method, path, body)
  const { version, revision } = await call<{ version: string; revision: string }>('get', '/api/server')

  async function runPlan({ title, name, variant }: Plan, configuration: object): Promise<PlanResult> {
    const plan = await call<{ id: string; modules: Module[] }>('post', '/api/plan', {
      params: { planName: name, variant: JSON.stringify(variant) },
      data: configuration,
    })
    console.log(`\n${title}\n${options.suite}/plan-detail.html?plan=${plan.id}`)
    const folder = join(options.results, title)
    await mkdir(folder, { recursive: true })
    const findings: Finding[] = []
    for (const module of plan.modules) {
      const { testModule } = module
      if (options.modules.length > 0 && !options.modules.some((word) => testModule.includes(word))) continue
      findings.push(await runModule(plan.id, module, folder))
    }
    return { title, id: plan.id, findings }
  }

  async function runModule(plan: string, { testModule: test, variant = {} }: Module, folder: string): Promise<Finding> {
    const params = { test, plan, variant: JSON.stringify(variant) }
    // A module starts as soon as it is created, and may have sent its request before the suite answers here.
    const started = new Date()
    const { id } = await call<{ id: string }>('post', '/api/runner', { params })
    const pictures: Picture[] = []
    const result = await visitUntilFinished(id, test, started, folder, pictures).catch((error: Error) => {
      console.error(error.message)
      return 'STUCK'
    })
    const log = await call<Entry[]>('get', `/api/log/${id}`)
    await writeFile(join(folder, `${test}-${id}.json`), JSON.stringify(log, null, 2))
    console.log(`  ${result.padEnd(11)} ${test}`)
    const marked = log.filter(({ result: mark }) => mark === 'WARNING' || mark === 'FAILURE')
    const reasons = marked.map(({ src, msg, requirements = [] }) => [`${src}: ${msg}`, ...requirements].join(', '))
    for (const reason of reasons) console.log(`              ${reason}`)
    const skipped = log.find(({ result: mark }) => mark === 'SKIPPED')?.msg
    return { module: test, result, reasons: result === 'SKIPPED' && skipped ? [skipped] : reasons, pictures }
  }

  /** Visits the URLs of a module in a new browser context until it has finished; returns its result and adds to `pictures`. */
  async function visitUntilFinished(
    id: string,
    test: string,
    started: Date,
    folder: string,
    pictures: Picture[],
  ): Promise<string> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en-US' })
    const visited: string[] = []
    let answered = 0
    try {
      for (const end = Date.now() + TIMEOUT_MS; Date.now() < end; await wait(200)) {
        const { status, result } = await call<Status>('get', `/api/info/${id}`)
        if (status === 'FINISHED') return result
        if (status === 'INTERRUPTED') return status
        // This module has read the signing keys and starts after a rotation. The others start by themselves.
        if (status === 'CONFIGURED' && test === 'oidcc-server-rotate-keys') {
          await options.rotateKeys()
          await suite.post(`/api/runner/${id}`)
        }
        if (status !== 'WAITING') continue
        const { browser } = await call<{ browser: { urlsWithMethod: BrowserTask[] } }>('get', `/api/runner/${id}`)
        const [task] = browser.urlsWithMethod
        if (!task) {
          // Modules of CIBA have no address for a browser.
          if (answered < (await requestedAnswers(id))) {
            await options.answerRequest(behaviorFor(test, false) === 'deny' ? 'deny' : 'allow', started)
            answered += 1
          }
          continue
        }
        // Only screenshots requested both before and after the visit show this page.
        const before = await requestedScreenshots(id)
        await suite.post(`/api/runner/browser/${id}/visit`, { params: { url: task.url } })
        const behavior = behaviorFor(test, visited.includes(task.url))
        visited.push(task.url)
        const withIcon = test === 'oidcc-registration-logo-uri'
        const visit = await runBrowserTask(context, task, { suite: options.suite, behavior, withIcon })
        for (const { upload, msg } of await stillRequested(id, before, visit.isBack)) {
          const screenshot = /successful/.test(msg ?? '') ? visit.last : visit.first
          await suite.post(`/api/log/${id}/images/${upload}`, {
            data: screenshot,
            headers: { 'content-type': 'text/plain' },
          })
          const picture = screenshot.slice(screenshot.indexOf(',') + 1)
          const file = `${test}-${upload}.jpg`
          await writeFile(join(folder, file), picture, 'base64')
          pictures.push({ file, asked: msg ?? '' })
        }
      }
      return 'STUCK'
    } finally {
      await context.close()
    }
  }

  /** The screenshots that are wanted although the browser is back: some modules need either one or the redirect, which they detect later. */
  async function stillRequested(id: string, before: Entry[], isBack: boolean): Promise<Entry[]> {
    let wanted = before
    for (const end = Date.now() + (isBack ? REDIRECT_MS : 0); wanted.length > 0; await wait(200)) {
      const requested = await requestedScreenshots(id)
      wanted = before.filter(({ upload }) => requested.some((it) => it.upload === upload))
      if (Date.now() >= end) break
    }
    return wanted
  }

  /** How often a module has wanted the user to answer on another device: it logs the automatic way, which hosted suites lack. */
  async function requestedAnswers(id: string): Promise<number> {
    const log = await call<Entry[]>('get', `/api/log/${id}`)
    return log.filter(({ src }) => src === 'CallAutomatedCibaApprovalEndpoint').length
  }

  async function requestedScreenshots(id: string): Promise<Entry[]> {
    return (await call<Entry[]>('get', `/api/log/${id}/images`)).filter(({ upload, img }) => upload && !img)
  }

  return {
    version: `${version} (${revision})`,
    runPlan,
    async downloadPackage(id) {
      // Only plans for relying parties have a part of their own.
      const answer = await suite.post(`/api/plan/${id}/certificationpackage`, {
        multipart: { none: '' },
        timeout: TIMEOUT_MS,
      })
      if (!answer.ok()) throw new Error(`The suite gives no package: ${await answer.text()}`)
      return answer.body()
    },
    async close() {
      await browser.close()
      await suite.dispose()
    },
  }
}

/** The user's behavior that the summary of a module asks for. */
function behaviorFor(test: string, isVisited: boolean): Behavior {
  if (test.includes('user-rejects')) return 'deny'
  return test.includes('prior-to-auth-completion') && !isVisited ? 'view' : 'allow'
}

async function callSuite<T>(
  suite: APIRequestContext,
  method: 'get' | 'post',
  path: string,
  options: object,
): Promise<T> {
  // A kept connection may have been closed when it is used again.
  const response = await suite[method](path, { timeout: ANSWER_MS, ...options, maxRetries: 3 })
  if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`)
  return response.json()
}
