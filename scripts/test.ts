// `npm test` and its parts: `check`, `sqlite` (test:fast), `postgres` (test:pg), `budget`, `journeys` (e2e), `fuzz`,
// `npm-clients`. `clients` and `quick-starts` are not part of `npm test`: they install libraries of other registries. Nor are
// `proxies`, of which `sqlite` has the part of nginx, and `image`, which needs root, buildah and debootstrap.
// Arguments after the name of a part go to its tool:
//   npm run test:fast -- server/src/features/clients -t 'redirect URI' --watch
import { join } from 'node:path'
import { runBudget } from './checks/budget.ts'
import { runChecks } from './checks/checks.ts'
import { ROOT } from './run-command.ts'
import { runFuzz } from './suites/fuzz.ts'
import {
  runClients,
  runImage,
  runJourneys,
  runNpmClients,
  runPostgres,
  runProxies,
  runQuickStarts,
  runSqlite,
  type SuiteOptions,
} from './suites/suites.ts'
import { keepTemporaryFilesInMemory } from './suites/temporary-files.ts'
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
  image: runImage,
}

/**
 * One after the other: each has as many workers as two cores need, and two at a time take longer (decision 0003). Small parts run one
 * after the other beside them, from the start of the one that they are listed with, and take what its workers leave while they wait.
 */
const ORDER: [string, ...background: string[]][] = [
  ['sqlite', 'check', 'budget'],
  ['postgres', 'fuzz', 'npm-clients'],
  ['journeys'],
]

const [part, ...args] = process.argv.slice(2)
let passed = 0
let failed = 0

async function runPart(name: string, inBackground = false): Promise<void> {
  const run = PARTS[name]
  if (!run) throw new Error(`There is no part "${name}". Parts: ${Object.keys(PARTS).join(', ')}.`)
  const start = performance.now()
  // When all parts run, only the output of failed parts is shown.
  const result = await run({ args, stream: part !== undefined, inBackground }).catch(
    (error: Error): TestResult => ({ passed: 0, failed: 1, report: String(error.stack) }),
  )
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  if (result.report) console.log(`\n${result.report}\n`)
  console.log(`${result.failed ? '✗' : '✓'} ${name}: ${result.passed} passed, ${result.failed} failed in ${seconds} s`)
  passed += result.passed
  failed += result.failed
}

async function runAll(): Promise<void> {
  let background = Promise.resolve()
  for (const [suite, ...small] of ORDER) {
    background = background.then(async () => {
      for (const name of small) await runPart(name, true)
    })
    await runPart(suite)
  }
  await background
}

// Tests start many Node programs, whose hundreds of modules Node then strips of types and compiles once.
process.env.NODE_COMPILE_CACHE ??= join(ROOT, 'node_modules', '.cache', 'node')

// Other parts build programs of other languages in temporary folders, which is too much for memory.
if (!part || ORDER.flat().includes(part)) keepTemporaryFilesInMemory()

if (part) await runPart(part)
else await runAll()

console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed ? 1 : 0
