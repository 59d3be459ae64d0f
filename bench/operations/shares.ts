/**
 * `npm run bench -- shares`: where the time of an operation is spent, from CPU profiles of the server's main thread. The server
 * runs from its sources, so that frames have file names. Other threads (password hashing, compiler, garbage collection) are in
 * their own column. Settings: SECONDS, ONLY, TOP=20 (also print the files and functions with the most samples), ON=postgres.
 */
import { startPostgres } from '../../scripts/suites/postgres.ts'
import { inspect, type Profile, profiled } from '../inspector.ts'
import { PEOPLE, seedInstallation } from '../installation.ts'
import { measure } from '../measure.ts'
import { startVrata } from '../targets.ts'
import { codeExchange, introspection, profile, refresh, signedCredentials, signIn, userinfo } from './workloads.ts'

const PORT = 9339
const SECONDS = Number(process.env.SECONDS ?? 5)
const TOP = Number(process.env.TOP ?? 0)
const ONLY = new RegExp(process.env.ONLY ?? '')

/** Categories of source files; the first match counts, for the innermost frame that matches any. */
const PARTS = [
  ['signature', /node_modules\/jose\/|node:internal\/crypto\/(webcrypto|sig|ec)|node:internal\/webidl/],
  ['oidc-provider', /node_modules\/(oidc-provider|koa|@koa|raw-body|nanoid|object-hash|eta|quick-lru)/],
  ['database', /server\/src\/db\/|node_modules\/(kysely|postgres)\/|node:sqlite/],
  ['vrata', /server\/src\/|contract\/src\/|node_modules\/(zod|prom-client|cookie|uuid|pino|bowser)/],
  ['http', /node_modules\/|node:/],
] as const
const NAMES = [...PARTS.map(([name]) => name), 'garbage', 'rest'] as const
type Name = (typeof NAMES)[number]

const WORKLOADS = {
  W1j: signedCredentials,
  W2: refresh,
  W3: codeExchange,
  W4: userinfo,
  W5: introspection,
  W6: signIn,
  W7: profile,
}

const IDLE = new Set(['(idle)', '(root)'])

export async function benchShares(): Promise<void> {
  const database = process.env.ON === 'postgres' ? await startPostgres({ durable: true }) : undefined
  const sources = new URL('../../server/src/cli.ts', import.meta.url).pathname
  const target = await startVrata({ database, program: [`--inspect=127.0.0.1:${PORT}`, sources] })
  const inspector = await inspect(PORT)
  try {
    const installation = await seedInstallation(target, { people: PEOPLE })
    console.log(`| workload | CPU ms per operation | other threads | ${NAMES.join(' | ')} |`)
    console.log(`| --- | ---: | ---: |${' ---: |'.repeat(NAMES.length)}`)
    for (const [name, workload] of Object.entries(WORKLOADS)) {
      if (!ONLY.test(name)) continue
      await measure(target, installation, workload, { connections: 16, seconds: 2 })
      const measuring = { cpu_ms: 0, main_ms: 0 }
      const sampled = await profiled(inspector, async () => {
        const main = target.main_thread_ms()
        const before = target.cpu_ms().server
        await measure(target, installation, workload, { connections: 16, seconds: SECONDS })
        measuring.main_ms = target.main_thread_ms() - main
        measuring.cpu_ms = target.cpu_ms().server - before
      })
      const { cpu_ms } = await measure(target, installation, workload, { connections: 16, seconds: SECONDS })
      const others = 1 - measuring.main_ms / measuring.cpu_ms
      const shares = sharesOf(sampled)
      const cells = NAMES.map((part) => `${Math.round((shares.get(part) ?? 0) * 100)} %`)
      console.log(`| ${name} | ${cpu_ms.toFixed(3)} | ${Math.round(others * 100)} % | ${cells.join(' | ')} |`)
      if (TOP > 0) console.log(`\n${topOf(sampled).join('\n')}\n`)
    }
  } finally {
    inspector.close()
    await target.stop()
    await database?.stop()
  }
}

type Node = Profile['nodes'][number]

/** Yields the frames of every sample that was not idle, innermost first. */
function* stacksOf({ nodes, samples }: Profile): Generator<Node['callFrame'][]> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])))
  for (const sample of samples) {
    const stack: Node['callFrame'][] = []
    for (let node = byId.get(sample); node; node = byId.get(parents.get(node.id) ?? -1)) stack.push(node.callFrame)
    if (!IDLE.has(stack[0]?.functionName ?? '')) yield stack
  }
}

function sharesOf(sampled: Profile): Map<Name, number> {
  const shares = new Map<Name, number>()
  const stacks = [...stacksOf(sampled)]
  for (const stack of stacks) {
    const part = partOf(stack)
    shares.set(part, (shares.get(part) ?? 0) + 1 / stacks.length)
  }
  return shares
}

function partOf(stack: Node['callFrame'][]): Name {
  if (stack[0]?.functionName === '(garbage collector)') return 'garbage'
  if (stack.some(({ url }) => PARTS[0][1].test(url))) return 'signature'
  // Time in Node's own modules counts for the code that called them.
  const caller = stack.find(({ url }) => url !== '' && !url.startsWith('node:')) ?? stack.find(({ url }) => url !== '')
  return PARTS.find(([, pattern]) => pattern.test(caller?.url ?? ''))?.[0] ?? 'rest'
}

/** Functions with the most samples, by self time and by total time. */
function topOf(sampled: Profile): string[] {
  const own = new Map<string, number>()
  const below = new Map<string, number>()
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
  let all = 0
  for (const stack of stacksOf(sampled)) {
    all += 1
    count(own, named(stack[0]))
    for (const name of new Set(stack.map(named))) count(below, name)
  }
  const lines = (counts: Map<string, number>, title: string) => [
    title,
    ...[...counts]
      .sort(([, a], [, b]) => b - a)
      .slice(0, TOP)
      .map(([name, times]) => `  ${((times / all) * 100).toFixed(1).padStart(5)} %  ${name}`),
  ]
  return [...lines(own, 'self time:'), ...lines(below, 'total time:')]
}

function named(frame: Node['callFrame'] | undefined): string {
  const file = frame?.url.replace(/^.*\/node_modules\//, '').replace(/^.*\/(server|contract)\/src\//, '$1/') ?? ''
  return `${frame?.functionName || '(anonymous)'} ${file}${file ? `:${(frame?.lineNumber ?? 0) + 1}` : ''}`
}
