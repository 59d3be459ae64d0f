import { execFile } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { SERVER } from '../../scripts/build/server-bundle.ts'
import { ROOT } from '../../scripts/run-command.ts'
import { type Cluster, startCluster } from '../cluster/cluster.ts'
import type { Member } from '../cluster/databases.ts'
import { until } from '../cluster/program.ts'
import { seedInstallation } from '../installation.ts'
import { History, type People } from './history.ts'

const run = promisify(execFile)

const CHECKER = join(ROOT, 'bench/histories')
const FAULTY = join(ROOT, 'server/dist-faulty')
/** A client takes another person when it does not know what a call has done. */
const PEOPLE = 20_000
/** The conditional write that makes a code or refresh token usable once, as it is in the built server; the condition is its end. */
const CONDITIONAL_WRITE =
  /(updateTable\(`tokens`\)\.set\(\{consumed_at:now\}\)\.where\(`token_hash`,`=`,hash\))\.where\(`consumed_at`,`is`,null\)/g

/**
 * Records calls at all servers while servers and the primary are killed, and has Porcupine judge them. `planted`: the server
 * lacks the condition of its conditional write, and the fault must be found. Resolves with whether all is as wanted.
 */
export async function judgeHistories({ calls, planted }: { calls: number; planted: boolean }): Promise<boolean> {
  const server = planted ? plantFault() : SERVER
  let people: People = { password: '', emails: [] }
  const prepare = async (env: Record<string, string>) => {
    people = await seedPeople(server, env)
  }
  const cluster = await startCluster({ server, prepare })
  try {
    const file = join(cluster.folder, 'history.jsonl')
    const urls = cluster.nodes.map(({ url }) => url)
    const history = new History({ installation: await seedInstallation(cluster), people, urls, file })
    const damage = new AbortController()
    const damaging = killInTurn(cluster, damage.signal)
    await history.record(calls)
    damage.abort()
    const kills = await damaging
    const checked = await run('go', ['run', '.', file], {
      cwd: CHECKER,
      env: { ...process.env, GOFLAGS: '-mod=mod' },
    }).catch((error: { stdout: string; stderr: string }) => error)
    const result = JSON.parse(checked.stdout) as { illegal: number; undecided: number }
    console.log(
      JSON.stringify({ drill: planted ? 'histories with a planted fault' : 'histories', ...result, ...kills }),
    )
    if (result.illegal > 0 && !planted) console.error(checked.stderr)
    return result.undecided === 0 && result.illegal > 0 === planted
  } finally {
    await cluster.stop()
    rmSync(FAULTY, { recursive: true, force: true })
  }
}

/** Fills the empty database with people; each client that records is one of them. */
async function seedPeople(server: string, env: Record<string, string>): Promise<People> {
  const words = ['seed', '--users', String(PEOPLE), '--apps', '1', '--apps-per-user', '0', '--tokens-per-user', '0']
  const options = { env: { ...process.env, ...env } }
  const { stdout } = await run(process.execPath, [server, ...words, '--activities-per-user', '0', '--json'], options)
  const { password } = JSON.parse(stdout) as { password: string }
  return { password, emails: Array.from({ length: PEOPLE }, (_, n) => `person${n}@seed.example`) }
}

/** Kills a server every fifteen seconds, and the primary every tenth time. */
async function killInTurn({ nodes, databases }: Cluster, signal: AbortSignal) {
  const kills = { nodes_killed: 0, leaders_killed: 0 }
  for (let turn = 1; !signal.aborted; turn += 1) {
    await pause(15_000, undefined, { signal }).catch(() => {})
    if (signal.aborted) break
    // Without a synchronous standby no server could take over.
    const leader = turn % 10 === 0 && (await databases.isComplete()) ? await databases.leader() : undefined
    if (leader) {
      await killLeader(leader, databases)
      kills.leaders_killed += 1
      continue
    }
    const node = nodes[turn % nodes.length]
    await node?.server.end('SIGKILL')
    await pause(1_000)
    node?.server.start()
    kills.nodes_killed += 1
  }
  return kills
}

async function killLeader(leader: Member, databases: Cluster['databases']): Promise<void> {
  leader.patroni.signal('SIGKILL')
  leader.signal('SIGKILL')
  await until('another primary', async () => ![undefined, leader].includes(await databases.leader()))
  leader.patroni.start()
}

/** Copies the built server without the condition. */
function plantFault(): string {
  rmSync(FAULTY, { recursive: true, force: true })
  cpSync(join(SERVER, '..'), FAULTY, { recursive: true })
  let places = 0
  for (const name of readdirSync(FAULTY).filter((one) => one.endsWith('.js'))) {
    const code = readFileSync(join(FAULTY, name), 'utf8')
    const faulty = code.replaceAll(CONDITIONAL_WRITE, (_, write: string) => {
      places += 1
      return write
    })
    if (faulty !== code) writeFileSync(join(FAULTY, name), faulty)
  }
  if (places === 0) throw new Error('The condition was not found in the built server')
  return join(FAULTY, 'cli.js')
}
