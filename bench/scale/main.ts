/**
 * `npm run bench -- scale [--users 1000000] [--postgres] [--folder DIR] [--parts operations,lists,starts,pruning,changes,ending,organization]`: a database with
 * a thousand people beside one with a million, both made by `vrata seed`: CPU time of the operations in alternating rounds, lists,
 * memory, starts, and requests while a million expired tokens are deleted (performance §2.10). A thousand people are active in
 * both, spread over all. With `--folder`, the databases stay there and are used again; `--parts none` only fills them. `ending` ends two apps
 * (ENDED, their numbers), and `organization` deletes all apps: nothing can be measured on that database after it. Settings: ROUNDS, SECONDS, ONLY,
 * EXPIRED (tokens, a million), OFFSET (other people, in a large database that is used again; delete the small one).
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../scripts/suites/postgres.ts'
import { type Measured, measureOperation, median } from '../measure.ts'
import { startVrata, type VrataTarget } from '../targets.ts'
import { measureChanges } from './changes.ts'
import { type Seeded, seeded } from './databases.ts'
import { measureEnding } from './ending.ts'
import { measureLists } from './lists.ts'
import { measureOrganization } from './organization.ts'
import { prepare, type Site } from './people.ts'
import { measurePruning, p99Of } from './pruning.ts'
import * as w from './workloads.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 3)
const ONLY = new RegExp(process.env.ONLY ?? '')
const FEW = 1000
const PARTS = ['operations', 'lists', 'starts', 'pruning', 'changes', 'ending', 'organization']
const STARTS = 5

/** How many times as much as with a thousand people an operation may need. */
const WORKLOADS: { name: string; most: number; connections?: number; mainThread?: true; workload: w.ScaleWorkload }[] =
  [
    { name: 'client credentials, JWT (W1j)', most: 1.15, workload: w.signedCredentials },
    { name: 'refresh with rotation (W2)', most: 1.15, workload: w.refresh },
    { name: 'code exchange, two requests (W3)', most: 1.15, workload: w.codeExchange },
    { name: 'userinfo (W4)', most: 1.25, workload: w.userinfo },
    { name: 'introspection (W5)', most: 1.25, workload: w.introspection },
    // Passwords are hashed on other threads.
    { name: 'sign-in without its hash (W6)', most: 1.25, connections: 8, mainThread: true, workload: w.signIn },
    { name: 'profile, `GET /v1/account` (W7)', most: 1.25, workload: w.profile },
  ]
const MOST = { p99: 1.5, memory: 1.3, list: 3, start: 1.2, pruning: 2 }

export async function benchScale(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      users: { type: 'string', default: '1000000' },
      postgres: { type: 'boolean', default: false },
      folder: { type: 'string' },
      parts: { type: 'string', default: PARTS.join() },
    },
  })
  const folder = values.folder ? resolve(values.folder) : mkdtempSync(join(tmpdir(), 'vrata-scale-'))
  // PostgreSQL, which does not run as root, has its files there.
  if (!values.folder) chmodSync(folder, 0o755)
  const parts = values.parts.split(',')
  const postgres = values.postgres ? await startPostgres({ kept: join(folder, 'cluster'), durable: true }) : undefined
  try {
    const few = await seeded(folder, FEW, postgres)
    const many = await seeded(folder, Number(values.users), postgres)
    console.log(
      `${postgres ? 'PostgreSQL' : 'SQLite'}: ${FEW} and ${many.users} people; seeded in ${many.facts.seconds} s.`,
    )
    if (parts.includes('operations') || parts.includes('lists')) await onBoth(few, many, parts)
    if (parts.includes('starts')) await starts(few, many)
    if (parts.includes('pruning')) await pruning(many)
    if (parts.includes('changes')) await changes(many)
    if (parts.includes('ending')) await ending(many)
    if (parts.includes('organization')) await organization(many)
  } finally {
    await postgres?.stop()
    if (!values.folder) rmSync(folder, { recursive: true, force: true })
  }
}

async function onBoth(few: Seeded, many: Seeded, parts: string[]): Promise<void> {
  const targets = [await startOn(few), await startOn(many)] as const
  try {
    const idle = targets.map((target) => target.memory_mib())
    const sites = [await prepare(few, targets[0]), await prepare(many, targets[1])] as const
    if (parts.includes('operations')) await operations(sites)
    if (parts.includes('lists')) {
      heading('List, ms', 'few', 'many')
      for (const { name, small_ms, large_ms } of await measureLists(...sites, ONLY))
        row(name, small_ms, large_ms, MOST.list)
    }
    heading('Memory, MiB', 'few', 'many')
    row('after the start', idle[0] ?? 0, idle[1] ?? 0, MOST.memory)
    row('after all of that', targets[0].memory_mib(), targets[1].memory_mib(), MOST.memory)
  } finally {
    for (const target of targets) await target.stop()
  }
}

function startOn({ data, database }: Seeded): Promise<VrataTarget> {
  return startVrata({ data, database })
}

async function operations(sites: readonly [Site, Site]): Promise<void> {
  const results = new Map<string, [Measured[], Measured[]]>()
  const plan = WORKLOADS.filter(({ name }) => ONLY.test(name))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { name, workload, connections = 16, mainThread = false } of plan) {
      const both = results.get(name) ?? [[], []]
      results.set(name, both)
      // The order changes with each round.
      for (const index of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        const site = sites[index]
        const { target } = site
        const cpu_ms = () => ({ ...target.cpu_ms(), ...(mainThread ? { server: target.main_thread_ms() } : {}) })
        const operate = await workload(site)
        process.stderr.write('.')
        both[index].push(await measureOperation({ cpu_ms }, operate, { connections, seconds: SECONDS }))
      }
    }
  }
  const all = plan.map(({ name, most }) => ({ name, most, both: results.get(name) ?? [[], []] }))
  heading('CPU ms of server and database', 'few', 'many')
  for (const { name, most, both } of all) {
    const [small, large] = both.map((rounds) => median(rounds.map((one) => one.cpu_ms + one.database_ms)))
    row(name, small ?? 0, large ?? 0, most)
  }
  heading('99th percentile, ms', 'few', 'many')
  for (const { name, both } of all) {
    const [small, large] = both.map((rounds) => median(rounds.map(({ p99 }) => p99)))
    row(name, small ?? 0, large ?? 0, MOST.p99)
  }
  const failed = all.flatMap(({ both }) => both.flat()).reduce((sum, one) => sum + one.failed, 0)
  if (failed > 0) console.log(`\n${failed} operations failed while they were counted; all that failed:`)
  for (const [cause, times] of w.failures) console.log(`- ${times} times ${cause}`)
}

async function starts(few: Seeded, many: Seeded): Promise<void> {
  const times: [number[], number[]] = [[], []]
  for (let run = 0; run < STARTS; run += 1) {
    for (const [index, one] of [few, many].entries()) {
      const target = await startOn(one)
      times[index]?.push(target.ready_ms)
      await target.stop()
    }
  }
  heading('Start, ms', 'few', 'many')
  row('until the first answer', median(times[0]), median(times[1]), MOST.start)
}

async function pruning(many: Seeded): Promise<void> {
  const { quiet, busy, per_second } = await measurePruning(many, SECONDS)
  heading('While expired tokens are deleted, ms', 'quiet', 'while pruning')
  for (const name of ['userinfo', 'refresh'] as const) {
    const [before, during] = [p99Of(quiet[name]), p99Of(busy[name])]
    row(`${name}: 99th percentile, median of rounds`, before.median, during.median, MOST.pruning)
    row(`${name}: 99th percentile, worst round`, before.most, during.most, MOST.pruning)
    const p50 = (rounds: Measured[]) => median(rounds.map((one) => one.p50))
    row(`${name}: median`, p50(quiet[name]), p50(busy[name]), MOST.pruning)
  }
  console.log(`\n${Math.round(per_second)} expired tokens were deleted in a second.`)
}

/** Changes objects on which all people depend. */
async function changes(many: Seeded): Promise<void> {
  console.log(
    '\n| Change | answer | call | longest read | longest write | all written after |\n| --- | --- | ---: | ---: | ---: | ---: |',
  )
  await measureChanges(many, ONLY)
}

/** An app of the large database is disabled and another one deleted. */
async function ending(many: Seeded): Promise<void> {
  const { quiet, ends } = await measureEnding(many, SECONDS)
  const p99 = p99Of(quiet.userinfo)
  console.log('\n| App | rows | call | all deleted after | rows a second |\n| --- | ---: | ---: | ---: | ---: |')
  for (const { what, rows, call, seconds } of ends)
    console.log(
      `| ${what} | ${rows} | ${call.toFixed(0)} ms | ${seconds.toFixed(0)} s | ${(rows / seconds).toFixed(0)} |`,
    )
  heading('Meanwhile, ms', 'before', 'while')
  for (const { what, busy } of ends) {
    row(`${what}: 99th percentile of userinfo`, p99.median, p99Of(busy.userinfo).median, MOST.pruning)
    const longest = (rounds: Measured[]) => Math.max(...rounds.map((one) => one.longest))
    row(`${what}: the longest refresh`, longest(quiet.refresh), longest(busy.refresh))
  }
}

/** The organization of the large database is deleted with all apps and users. */
async function organization(many: Seeded): Promise<void> {
  const { quiet, busy, rows, call, seconds } = await measureOrganization(many, SECONDS)
  console.log(
    `\nOrganization with ${rows} connections: deleted in ${call.toFixed(0)} ms, its rows after ${seconds.toFixed(0)} s.`,
  )
  heading('Meanwhile, ms', 'before', 'while')
  row('99th percentile of the profile', p99Of(quiet).median, p99Of(busy).median, MOST.pruning)
  const longest = (rounds: Measured[]) => Math.max(...rounds.map((one) => one.longest))
  row('the longest profile', longest(quiet), longest(busy))
}

function heading(what: string, few: string, many: string): void {
  console.log(`\n| ${what} | ${few} | ${many} | factor | goal | |\n| --- | ---: | ---: | ---: | ---: | --- |`)
}

/** A line of a table; `most` is the goal for the factor. */
function row(name: string, few: number, many: number, most?: number): void {
  const factor = many / few
  const goal = most === undefined ? ['', ''] : [most, factor > most ? 'missed' : 'met']
  const cells = [few.toPrecision(3), many.toPrecision(3), factor.toFixed(2), ...goal]
  console.log(`| ${name} | ${cells.join(' | ')} |`)
}
