import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from '../cluster/cluster.ts'
import type { Member } from '../cluster/databases.ts'
import { statusOf, until } from '../cluster/program.ts'

export type Drill = {
  says: string
  /** What must hold besides that nothing acknowledged is lost and no code is redeemed twice. */
  wanted: { failed?: number; longest_ms?: number; window_s?: number }
  /** Does the damage and ends it; the load goes on before, meanwhile and afterwards. */
  run(cluster: Cluster): Promise<void>
}

/** Seconds that HAProxy needs to see that a server is ready. */
const NOTICED = 2_000

export const DRILLS: Record<string, Drill> = {
  'rolling-restart': {
    says: 'every server is restarted in turn, three times (SIGTERM)',
    wanted: { failed: 0, window_s: 0 },
    async run({ nodes }) {
      for (const { server, url } of [...nodes, ...nodes, ...nodes]) {
        await server.end('SIGTERM')
        server.start()
        await until(server.name, async () => (await statusOf(`${url}/readyz`)) === 200)
        await pause(NOTICED)
      }
    },
  },
  'node-killed': {
    says: 'one server is killed and started again (SIGKILL)',
    wanted: { failed: 8 },
    async run({ nodes }) {
      await nodes[0]?.server.end('SIGKILL')
      await pause(5_000)
      nodes[0]?.server.start()
    },
  },
  'leader-killed': {
    says: 'the primary and its Patroni are killed (SIGKILL); the standby takes over',
    wanted: { longest_ms: 5_500 },
    async run({ databases }) {
      const leader = (await databases.leader()) as Member
      leader.patroni.signal('SIGKILL')
      leader.signal('SIGKILL')
      await until('another primary', async () => ![undefined, leader].includes(await databases.leader()))
      await pause(5_000)
      leader.patroni.start()
    },
  },
  'leader-paused': {
    says: 'the primary and its Patroni are paused (SIGSTOP) until the standby has taken over, and go on ten seconds later',
    wanted: { longest_ms: 5_500 },
    async run({ databases }) {
      const leader = (await databases.leader()) as Member
      leader.patroni.signal('SIGSTOP')
      leader.signal('SIGSTOP')
      await until('another primary', async () => ![undefined, leader].includes(await databases.leader()))
      await pause(10_000)
      leader.signal('SIGCONT')
      leader.patroni.signal('SIGCONT')
    },
  },
  'database-paused': {
    says: 'PostgreSQL is paused for 12 seconds (SIGSTOP), its Patroni is not',
    wanted: { longest_ms: 5_500 },
    async run({ databases }) {
      const leader = (await databases.leader()) as Member
      leader.signal('SIGSTOP')
      await pause(12_000)
      leader.signal('SIGCONT')
    },
  },
  'pgbouncer-restarted': {
    says: 'PgBouncer is killed (SIGKILL) and started again at once',
    wanted: { longest_ms: 5_500, window_s: 5 },
    async run({ pgbouncer }) {
      await pgbouncer.end('SIGKILL')
      pgbouncer.start()
    },
  },
  'etcd-lost': {
    says: 'etcd is away for 30 seconds (SIGKILL)',
    wanted: { failed: 0, window_s: 0 },
    async run({ databases }) {
      await databases.etcd.end('SIGKILL')
      await pause(30_000)
      databases.etcd.start()
    },
  },
}
