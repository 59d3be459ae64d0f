/**
 * `npm run drill -- NAME …`: damages an installation of many servers under load and prints what its clients have seen; without
 * a name the list, `all` for all. Exits with 1 when a drill has not gone as wanted, with 2 when none can run here. A drill that cannot
 * run says what is missing.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { ensurePages } from '../../scripts/build/pages.ts'
import { ensureServer } from '../../scripts/build/server-bundle.ts'
import { type Cluster, clusterPrograms, startCluster } from '../cluster/cluster.ts'
import { until } from '../cluster/program.ts'
import { type Installation, seedInstallation } from '../installation.ts'
import { exitOnSignals } from '../targets.ts'
import type { ClusterDrill } from './cluster-drill.ts'
import { DRILLS } from './drills.ts'
import { judgeHistories } from './histories.ts'
import { type Figures, Load } from './load.ts'
import type { OneServerDrill } from './one-server/one-server.ts'
import { ONE_SERVER_DRILLS } from './one-server/one-server-drills.ts'
import { rollingUpgrade } from './rolling-upgrade.ts'

const [, , ...given] = process.argv
/** Servers of an installation unless a drill says another number. */
const SERVERS = 3
/** Calls of a history: as many as the goal asks for (operation), and enough to find the planted fault. */
const HISTORIES: Record<string, { says: string; calls: number; planted: boolean }> = {
  histories: {
    says: 'Porcupine judges 100,000 calls while servers and primaries die (CALLS sets another number)',
    calls: Number(process.env.CALLS ?? 100_000),
    planted: false,
  },
  'planted-fault': {
    says: 'a server that redeems codes without a condition: the fault must be found',
    calls: 2_000,
    planted: true,
  },
}
const UPGRADE = {
  'rolling-upgrade': 'servers of an older commit (FROM) are replaced in turn by this version, and both work at once',
}
const ALL = [
  ...Object.keys(DRILLS),
  ...Object.keys(ONE_SERVER_DRILLS),
  ...Object.keys(HISTORIES),
  ...Object.keys(UPGRADE),
]
const names = given.includes('all') ? ALL : given
const unknown = names.filter((name) => !ALL.includes(name))
if (names.length === 0 || unknown.length > 0) {
  if (unknown.length) console.error(`There is no drill ${unknown.join(', ')}.`)
  const width = Math.max(...ALL.map((name) => name.length)) + 2
  for (const [name, { says }] of Object.entries({ ...DRILLS, ...ONE_SERVER_DRILLS, ...HISTORIES }))
    console.log(`${name.padEnd(width)}${says}`)
  for (const [name, says] of Object.entries(UPGRADE)) console.log(`${name.padEnd(width)}${says}`)
  process.exit(unknown.length ? 1 : 0)
}
if (names.includes('rolling-upgrade') && !process.env.FROM) {
  console.error('rolling-upgrade needs FROM, the older commit, such as FROM=v0.1.0')
  process.exit(1)
}
const missing = names.flatMap((name) => missingFor(name) ?? [])
for (const sentence of missing) console.error(`Not run: ${sentence}`)
const drills = names.filter((name) => missingFor(name) === undefined)
if (drills.length === 0) process.exit(2)
exitOnSignals()
await ensurePages()
await ensureServer()
let isWell = true
const onCluster = Object.groupBy(
  drills.filter((name) => DRILLS[name]),
  (name) => DRILLS[name]?.servers ?? SERVERS,
)
for (const [servers, chosen = []] of Object.entries(onCluster)) await runDrills(chosen, Number(servers))
for (const name of drills) {
  const one = ONE_SERVER_DRILLS[name]
  if (one) isWell = (await runOnOneServer(name, one)) && isWell
  const history = HISTORIES[name]
  if (history) isWell = (await judgeHistories(history)) && isWell
}
if (drills.includes('rolling-upgrade')) isWell = (await rollingUpgrade(process.env.FROM ?? '')) && isWell
process.exit(isWell ? 0 : 1)

/** Requirements of a drill that this machine lacks, as a sentence. */
function missingFor(name: string): string | undefined {
  const one = ONE_SERVER_DRILLS[name]
  const lacking = (one ?? DRILLS[name])?.missing?.()
  if (one || lacking) return lacking && `${name}: ${lacking}`
  try {
    clusterPrograms()
    return undefined
  } catch (error) {
    return `${name}: ${(error as Error).message}`
  }
}

async function runOnOneServer(drill: string, { run }: OneServerDrill): Promise<boolean> {
  const { figures, seen, wanted } = await run()
  const misses = [...(figures ? missesOf({ wanted: {} }, figures) : []), ...unmet(wanted)]
  console.log(JSON.stringify({ drill, ...figures, ...seen, misses }))
  return misses.length === 0
}

async function runDrills(chosen: string[], servers: number): Promise<void> {
  const cluster = await startCluster({ servers, keep: process.env.KEEP === '1' })
  try {
    const installation = await seedInstallation(cluster)
    for (const name of chosen) {
      const drill = DRILLS[name] as ClusterDrill
      const { figures, green_s, outcome } = await runDrill(drill, cluster, installation)
      const misses = [...missesOf(drill, figures), ...unmet(outcome?.wanted ?? {})]
      isWell &&= misses.length === 0
      const green = Math.round(green_s * 10) / 10
      console.log(JSON.stringify({ drill: name, ...figures, green_s: green, ...outcome?.seen, misses }))
    }
  } finally {
    await cluster.stop()
  }
}

async function runDrill({ run, pace }: ClusterDrill, all: Cluster, installation: Installation) {
  await until('the cluster', all.isGreen, 120)
  await until('the synchronous standby', all.databases.isComplete, 120)
  const load = new Load(installation, pace)
  await pause(4_000)
  const began = performance.now()
  load.damaged()
  const outcome = await run(all, { load, installation })
  await until('the cluster', all.isGreen, 180)
  const green_s = (performance.now() - began) / 1000
  await pause(4_000)
  return { figures: await load.stop(), green_s, outcome }
}

function unmet(wanted: Record<string, boolean>): string[] {
  return Object.entries(wanted).flatMap(([what, holds]) => (holds ? [] : [`not: ${what}`]))
}

function missesOf({ wanted }: Pick<ClusterDrill, 'wanted'>, figures: Figures): string[] {
  const misses = Object.entries(wanted).filter(([name, most]) => figures[name as keyof typeof wanted] > most)
  return [
    ...(figures.lost > 0 ? ['acknowledged writes are lost'] : []),
    ...(figures.spent_twice > 0 ? ['codes were redeemed twice'] : []),
    ...misses.map(([name, most]) => `${name} is more than ${most}`),
  ]
}
