// `npm test` and its parts: `check`, `sqlite` (test:fast), `postgres` (test:pg), `budget`, `journeys` (e2e), `fuzz`,
// `npm-clients`. `clients` and `quick-starts` are not part of `npm test`: they install libraries of other registries. Nor is
// `proxies`, of which `sqlite` has the part of nginx.
// Arguments after the name of a part go to its tool:
//   npm run test:fast -- server/src/features/clients -t 'redirect URI' --watch
import { runBudget } from './checks/budget.ts'
import { runChecks } from './checks/checks.ts'
import { runFuzz } from './suites/fuzz.ts'
import {
  runClients,
  runJourneys,
  runNpmClients,
  runPostgres,
  runProxies,
  runQuickStarts,
  runSqlite,
  type SuiteOptions,
} from './suites/suites.ts'
import type { TestResult } from './suites/test-result.ts'

const PARTS: Record<string, (options: SuiteOptions) => Promise<TestResult>> = {
  check: runChecks,
  sqlite: runSqlite,
  postgres: runPostgres,
  budget: runBudget,
  journeys: runJourneys,
  fuzz: runFuzz,
  'npm-clients': runNpmClients,
  clients: runClients,
  'quick-starts': runQuickStarts,
  proxies: runProxies,
}

/**
 * Parts of a row run in parallel. The suites wait for timers, disks and processes, and the journeys for their browser, so
 * together they use two cores better than one after the other. `budget` builds the pages that the journeys use.
 */
const ORDER = [['check'], ['budget'], ['sqlite', 'postgres', 'journeys', 'fuzz'], ['npm-clients']]

const [part, ...args] = process.argv.slice(2)
let passed = 0
let failed = 0

async function runPart(name: string): Promise<void> {
  const run = PARTS[name]
  if (!run) throw new Error(`There is no part "${name}". Parts: ${Object.keys(PARTS).join(', ')}.`)
  const start = performance.now()
  // The output of parts that run in parallel would mix, so it is shown afterwards, and only when something failed.
  const result = await run({ args, stream: part !== undefined }).catch(
    (error: Error): TestResult => ({ passed: 0, failed: 1, report: String(error.stack) }),
  )
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  if (result.report) console.log(`\n${result.report}\n`)
  console.log(`${result.failed ? '✗' : '✓'} ${name}: ${result.passed} passed, ${result.failed} failed in ${seconds} s`)
  passed += result.passed
  failed += result.failed
}

for (const names of part ? [[part]] : ORDER) await Promise.all(names.map(runPart))

console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed ? 1 : 0
