// `npm test` and its parts: `check`, `sqlite` (test:fast), `postgres` (test:pg), `budget`, `journeys` (e2e).
// What follows the name of a part goes to its tool: npm run test:fast -- server/src/slices/clients
import { runBudget } from './check-budget.ts'
import { runChecks } from './checks.ts'
import { runJourneys, runPostgres, runSqlite } from './suites.ts'

export type Outcome = { passed: number; failed: number; report: string }

const PARTS: Record<string, (args: string[]) => Promise<Outcome>> = {
  check: runChecks,
  sqlite: runSqlite,
  postgres: runPostgres,
  budget: runBudget,
  journeys: runJourneys,
}

/** One after the other; the two databases side by side, because each waits for its disk and its timers half of the time. */
const ORDER = [['check'], ['sqlite', 'postgres'], ['budget'], ['journeys']]

const [part, ...args] = process.argv.slice(2)
let passed = 0
let failed = 0

async function runPart(name: string): Promise<void> {
  const run = PARTS[name]
  if (!run) throw new Error(`There is no part "${name}"; there are ${Object.keys(PARTS).join(', ')}.`)
  const start = performance.now()
  const outcome = await run(args).catch(
    (error: Error): Outcome => ({ passed: 0, failed: 1, report: String(error.stack) }),
  )
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  if (outcome.report) console.log(`\n${outcome.report}\n`)
  console.log(
    `${outcome.failed ? '✗' : '✓'} ${name}: ${outcome.passed} passed, ${outcome.failed} failed in ${seconds} s`,
  )
  passed += outcome.passed
  failed += outcome.failed
}

for (const names of part ? [[part]] : ORDER) await Promise.all(names.map(runPart))

console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed ? 1 : 0
