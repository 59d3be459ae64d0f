import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from './chromium.ts'
import { command } from './command.ts'
import { ensurePages } from './pages.ts'
import { startPostgres } from './postgres.ts'
import { ensureServer } from './server-bundle.ts'
import type { Outcome } from './test.ts'

/** Every Vitest test of every workspace; what needs a database uses SQLite. */
export function runSqlite(args: string[]): Promise<Outcome> {
  return runVitest(args, {})
}

/** The server's tests once more, the very same, on a PostgreSQL that lives as long as they do. */
export async function runPostgres(args: string[]): Promise<Outcome> {
  const given = process.env.VRATA_TEST_PG_URL
  const postgres = given ? { url: given, stop: async () => {} } : await startPostgres()
  try {
    const env = { VRATA_TEST_DATABASE: 'postgres', VRATA_TEST_PG_URL: postgres.url }
    return await runVitest(['--project', 'server', ...args], env)
  } finally {
    await postgres.stop()
  }
}

/** The journeys of e2e/ in Chromium, through the real server with the pages as built. */
export async function runJourneys(args: string[]): Promise<Outcome> {
  await ensurePages()
  await ensureServer()
  await ensureChromium()
  return counted(
    (file) =>
      command('playwright', ['test', '-c', 'e2e', '--reporter=list,json', ...args], {
        PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      }),
    ({ stats }: PlaywrightReport) => ({ passed: stats.expected, failed: stats.unexpected + stats.flaky }),
  )
}

type PlaywrightReport = { stats: { expected: number; unexpected: number; flaky: number } }
type VitestReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

function runVitest(args: string[], env: Record<string, string>): Promise<Outcome> {
  return counted(
    (file) => command('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile=${file}`, ...args], env),
    ({ numPassedTests, numFailedTests, testResults }: VitestReport) => ({
      passed: numPassedTests,
      // A file that does not even load has no tests that could fail.
      failed: numFailedTests + testResults.filter((it) => it.status === 'failed' && !it.assertionResults.length).length,
    }),
  )
}

/** Runs a test runner that writes its report to the file, and counts; a runner that fails without a failed test is one. */
async function counted<Report>(
  run: (file: string) => Promise<{ code: number; output: string }>,
  count: (report: Report) => { passed: number; failed: number },
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'vrata-test-'))
  const file = join(folder, 'report.json')
  const { code, output } = await run(file)
  const counts = existsSync(file) ? count(JSON.parse(await readFile(file, 'utf8'))) : { passed: 0, failed: 0 }
  await rm(folder, { recursive: true })
  if (code !== 0 && counts.failed === 0) counts.failed = 1
  return { ...counts, report: counts.failed ? output.trim() : '' }
}
