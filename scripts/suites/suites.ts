import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ensurePages } from '../build/pages.ts'
import { ensureServer, SERVER } from '../build/server-bundle.ts'
import { type CommandOptions, ROOT, runCommand } from '../run-command.ts'
import { ensureChromium } from './chromium.ts'
import { startPostgres } from './postgres.ts'
import type { TestResult } from './test-result.ts'

export type SuiteOptions = { args: string[] } & Pick<CommandOptions, 'stream' | 'inBackground'>

/** All Vitest tests of all workspaces; those that need a database use SQLite. */
export async function runSqlite(options: SuiteOptions): Promise<TestResult> {
  return runVitest(options, await bundled(options))
}

/** The configurations of the operators' guide in nginx, HAProxy and Caddy. Those that are not installed are skipped. */
export function runProxies({ args, ...options }: SuiteOptions): Promise<TestResult> {
  return runVitest({ ...options, args: ['server/test/proxies', ...args] }, { VRATA_TEST_PROXIES: 'all' })
}

/** The image, built and started as the operators' guide says; as root, with buildah and debootstrap. */
export function runImage({ args, ...options }: SuiteOptions): Promise<TestResult> {
  return runVitest({ ...options, args: ['scripts/checks/image.test.ts', ...args] }, { VRATA_TEST_IMAGE: '1' })
}

/** All tests that use a database import it. */
const TEST_DATABASE = 'server/test/databases/template-db.ts'

/**
 * The server's tests that use a database again, on a temporary PostgreSQL cluster, or on the one at `VRATA_TEST_PG_URL`. With
 * `args`, the tests that they name.
 */
export async function runPostgres({ args, ...options }: SuiteOptions): Promise<TestResult> {
  const given = process.env.VRATA_TEST_PG_URL
  const postgres = given ? { url: given, stop: async () => {} } : await startPostgres()
  try {
    const env = {
      VRATA_TEST_DATABASE: 'postgres',
      VRATA_TEST_PG_URL: postgres.url,
      // Databases that tests use one after the other are left in it.
      ...(given ? {} : { VRATA_TEST_PG_TEMPORARY: '1' }),
      ...(await bundled({ args })),
    }
    if (args.length > 0) return await runVitest({ ...options, args: ['--project', 'node', ...args] }, env)
    return await runVitest(
      { ...options, args: ['--project', 'node', '--dir', 'server', TEST_DATABASE] },
      env,
      'related',
    )
  } finally {
    await postgres.stop()
  }
}

/** The journeys of e2e/ in Chromium, against the bundled server and the built pages. */
export function runJourneys(options: SuiteOptions): Promise<TestResult> {
  return runPlaywright('e2e', 'list,json', options)
}

/** Client libraries of all registries, as `docs/developers/libraries.md` lists them; prints a table. */
export function runClients(options: SuiteOptions): Promise<TestResult> {
  return runPlaywright('e2e/clients', 'list,json,./e2e/clients/table-reporter.ts', options)
}

/** The client libraries that `npm ci` has installed, with the default signature of ID tokens. */
export function runNpmClients({ args, ...options }: SuiteOptions): Promise<TestResult> {
  return runClients({ ...options, args: ['--project', 'npm', '--grep-invert', '@algorithm', ...args] })
}

/** The quick starts of all languages, as a developer would follow them; `npm test` runs those of Node and cURL. */
export function runQuickStarts({ args, ...options }: SuiteOptions): Promise<TestResult> {
  return runVitest(
    { ...options, args: ['--project', 'node', 'server/test/quick-starts.test.ts', ...args] },
    { VRATA_TEST_ALL_QUICK_STARTS: '1' },
  )
}

let built: Promise<void> | undefined

/** Runs once for concurrent suites, which would otherwise build the same files at the same time. The caches of the server need the pages. */
function build(): Promise<void> {
  built ??= ensurePages().then(ensureServer)
  return built
}

/** Where a whole suite finds the programs that its tests start. Single tests start the sources, so that they need no build. */
async function bundled({ args }: Pick<SuiteOptions, 'args'>): Promise<Record<string, string>> {
  if (args.length > 0) return {}
  await build()
  return { VRATA_TEST_BUNDLE: dirname(SERVER) }
}

let prepared: Promise<unknown> | undefined

/** The same for Chromium. */
function prepareJourneys(): Promise<unknown> {
  prepared ??= build().then(ensureChromium)
  return prepared
}

/** Playwright would compile the journeys with Babel, and translate every frame of a stack; Node.js strips types in place. */
const NODES_OWN_TYPESCRIPT = { PW_DISABLE_TS_ESM: '1' }

async function runPlaywright(
  config: string,
  reporter: string,
  { args, stream, inBackground }: SuiteOptions,
): Promise<TestResult> {
  await prepareJourneys()
  return withReport(
    (file) =>
      runCommand('playwright', ['test', '-c', config, `--reporter=${reporter}`, ...args], {
        env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file, ...NODES_OWN_TYPESCRIPT },
        stream,
        inBackground,
      }),
    ({ stats }: PlaywrightReport) => ({
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
      retried: stats.flaky,
    }),
  )
}

type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number } }
type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

const WATCH = new Set(['--watch', '-w'])

/**
 * Arguments of Node for Vitest. The young generation of V8 is large from the start (in MiB, for each half): by default it
 * begins with less than 1 MiB, and collecting the short-lived objects of test servers took a tenth of the CPU time.
 */
const VITEST = ['--min-semi-space-size=32', '--max-semi-space-size=64', join(ROOT, 'node_modules/vitest/vitest.mjs')]

/**
 * Runs Vitest once; with `--watch` among the arguments until it is interrupted. With `related`, `args` name modules instead
 * of tests, and the tests that import them run.
 */
async function runVitest(
  { args, stream }: SuiteOptions,
  env: Record<string, string>,
  command: 'run' | 'related' = 'run',
): Promise<TestResult> {
  if (args.some((arg) => WATCH.has(arg))) {
    const watched = [...VITEST, 'watch', ...args.filter((arg) => !WATCH.has(arg))]
    const { code } = await runCommand(process.execPath, watched, { env, stream: true })
    return { passed: 0, failed: code === 0 ? 0 : 1, report: '' }
  }
  const reporters = ['--reporter=default', '--reporter=json']
  return withReport(
    (file) =>
      runCommand(process.execPath, [...VITEST, command, '--run', ...reporters, `--outputFile=${file}`, ...args], {
        env,
        stream,
      }),
    ({ numPassedTests, numFailedTests, testResults }: VitestReport) => ({
      passed: numPassedTests,
      // A file that cannot be loaded has no tests that could fail.
      failed: numFailedTests + testResults.filter((it) => it.status === 'failed' && !it.assertionResults.length).length,
    }),
  )
}

type Counts = { passed: number; failed: number; retried?: number }

/**
 * Runs a test runner that writes its report to `file`, and counts. A failed run without a failed test counts as one failure.
 * The output is kept where a test has failed, or has passed on a second try only.
 */
async function withReport<Report>(
  run: (file: string) => Promise<{ code: number; output: string }>,
  count: (report: Report) => Counts,
): Promise<TestResult> {
  const folder = await mkdtemp(join(tmpdir(), 'vrata-test-'))
  const file = join(folder, 'report.json')
  const { code, output } = await run(file)
  const counts: Counts = existsSync(file) ? count(JSON.parse(await readFile(file, 'utf8'))) : { passed: 0, failed: 0 }
  await rm(folder, { recursive: true })
  if (code !== 0 && counts.failed === 0) counts.failed = 1
  const { passed, failed, retried } = counts
  return { passed, failed, report: failed || retried ? output.trim() : '' }
}
