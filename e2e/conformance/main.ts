// `npm run conformance [-- --package] [part of a plan's title …] [--module part of a module's name …]`: runs test plans of the OpenID Foundation's
// conformance suite against Vrata and writes the results to docs/guides/conformance.md, which also tells the settings.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ROOT } from '../../scripts/run-command.ts'
import { people } from '../../server/test/people.ts'
import { writeApplication } from './application.ts'
import { configure } from './clients.ts'
import { PLANS } from './plans.ts'
import { hasFailed, type PlanResult, writeResults } from './results.ts'
import { revisionOfVrata } from './revision.ts'
import { startRunner } from './runner.ts'
import { prepareSuite } from './suite/setup.ts'
import { LOCAL_SUITE, startSuite } from './suite/suite.ts'
import { DATA, startVrata } from './vrata.ts'

const { values, positionals: parts } = parseArgs({
  allowPositionals: true,
  options: {
    module: { type: 'string', multiple: true, default: [] },
    package: { type: 'boolean', default: false },
    serve: { type: 'boolean', default: false },
  },
})
const page = join(ROOT, 'docs/guides/conformance.md')
const results = join(DATA, 'results')
const url = process.env.CONFORMANCE_SUITE ?? LOCAL_SUITE
const suite = { url, alias: process.env.CONFORMANCE_ALIAS ?? 'vrata' }
const isNamed = (title: string) => parts.some((part) => title.toLowerCase().includes(part.toLowerCase()))
const chosen = PLANS.filter(({ title }) => parts.length === 0 || isNamed(title))
if (chosen.length === 0)
  throw new Error(`No plan is named so. The plans:\n${PLANS.map(({ title }) => title).join('\n')}`)
const files = process.env.CONFORMANCE_SUITE ? undefined : await prepareSuite().catch(explain)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const revision = revisionOfVrata()
const vrata = await startVrata()
console.log(`Vrata is running at ${vrata.url}; sign in as ${people.ana.email}  ${people.ana.password}`)
if (files) await startSuite(files, vrata.certificate)
console.log(`The suite is running at ${url}`)
await mkdir(results, { recursive: true })
const configured = []
for (const plan of chosen) {
  const configuration = await configure(vrata, suite, plan)
  await writeFile(join(DATA, `${plan.title}.json`), JSON.stringify(configuration, null, 2))
  configured.push({ plan, configuration })
}
if (values.serve) {
  console.log(`The configurations of the plans are in ${DATA}. Press Ctrl-C to end.`)
  await wait(2 ** 31 - 1)
}

const { rotateKeys, answerRequest } = vrata
const runner = await startRunner({ suite: url, results, modules: values.module, rotateKeys, answerRequest })
const finished: PlanResult[] = []
for (const { plan, configuration } of configured) {
  const result = await runner.runPlan(plan, configuration).catch((error: Error) => console.error(error.message))
  if (!result) {
    process.exitCode = 1
    continue
  }
  finished.push(result)
  const failed = result.findings.some(hasFailed)
  if (failed) process.exitCode = 1
  const run = `${new Date().toISOString().slice(0, 10)}, Vrata ${revision}, suite ${runner.version}`
  // Parts of plans are no results.
  if (values.module.length > 0) continue
  const titles = PLANS.map(({ title }) => title)
  await writeFile(page, writeResults(await readFile(page, 'utf8'), { titles, run, results: finished }))
  if (values.package) {
    const folder = join(results, plan.title)
    const suite = runner.version
    await writeApplication({ plan, result, revision, suite, issuer: vrata.url, folder })
    // The suite gives none for a plan with failures.
    if (!failed) await writeFile(join(folder, 'package.zip'), await runner.downloadPackage(result.id))
  }
}
await runner.close()
await writeFile(join(results, 'vrata.log'), vrata.log())
process.exit()

/** Ends the command with the remedy for what is missing. */
function explain({ message }: Error): never {
  console.error(message)
  process.exit(1)
}
