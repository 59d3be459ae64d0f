import { setTimeout as pause } from 'node:timers/promises'
import { SERVER } from '../../scripts/build/server-bundle.ts'
import type { Node } from '../cluster/cluster.ts'
import type { Member } from '../cluster/databases.ts'
import { statusOf, until } from '../cluster/program.ts'
import { ONE_CLOCK_JUMPED } from './clock-jumped.ts'
import { type ClusterDrill, NOTICED, restart } from './cluster-drill.ts'
import { KILLED_IN_TURN } from './node-killed.ts'
import { SECRET_ROTATED } from './secret-rotated.ts'
import { TcpProxy } from './tcp-proxy.ts'
import { needsFaketime, WRONG_CLOCK } from './wrong-clock.ts'

export const DRILLS: Record<string, ClusterDrill> = {
  'rolling-restart': {
    says: 'the servers are restarted in turn, twenty times (SIGTERM)',
    wanted: { failed: 0, window_s: 0 },
    async run({ nodes }) {
      for (let turn = 0; turn < 20; turn += 1) await restart(nodes[turn % nodes.length] as Node)
    },
  },
  'node-killed-while-restarting': {
    says: 'one server is killed while another one is being restarted (SIGKILL, SIGTERM)',
    wanted: { failed: 8 },
    async run({ nodes }) {
      const [one, other] = nodes as [Node, Node]
      const restarted = restart(one)
      // The other one has begun to say that it is not ready.
      await pause(NOTICED)
      await other.server.end('SIGKILL')
      await restarted
      other.server.start()
    },
  },
  'network-cut': {
    says: 'the network between one server and the database is cut for 12 seconds',
    wanted: { failed: 0, longest_ms: 5_500 },
    async run({ nodes, pooledUrl, primaryUrl }) {
      const [node] = nodes as [Node]
      const urls = { VRATA_DATABASE_URL: pooledUrl, VRATA_DATABASE_LISTEN_URL: primaryUrl }
      const proxies: TcpProxy[] = []
      const settings: Record<string, string> = {}
      for (const [name, url] of Object.entries(urls)) {
        const proxy = new TcpProxy(Number(new URL(url).port))
        proxies.push(proxy)
        settings[name] = await proxy.through(url)
      }
      await restart(node, () => node.replace(SERVER, settings))
      for (const proxy of proxies) proxy.cut()
      await pause(12_000)
      for (const proxy of proxies) proxy.mend()
      await until(node.name, async () => (await statusOf(`${node.url}/readyz`)) === 200)
      await restart(node, () => node.replace(SERVER))
      for (const proxy of proxies) proxy.remove()
    },
  },
  'clocks-apart': {
    says: 'the clock of one server is 45 seconds fast, 45 seconds slow, five minutes fast, and right again (libfaketime)',
    missing: needsFaketime,
    wanted: { failed: 0 },
    async run({ nodes }) {
      const [node] = nodes as [Node]
      for (const seconds of [45, -45]) {
        await restart(node, () =>
          node.replace(SERVER, { ...WRONG_CLOCK, FAKETIME: `${seconds > 0 ? '+' : ''}${seconds}s` }),
        )
        await pause(15_000)
      }
      await node.server.end('SIGTERM')
      node.replace(SERVER, { ...WRONG_CLOCK, FAKETIME: '+300s' })
      await until(`${node.name} says that its clock is wrong`, async () => {
        const answer = await fetch(`${node.url}/readyz`)
        return answer.status === 503 && /clock/.test(await answer.text())
      })
      await pause(15_000)
      await restart(node, () => node.replace(SERVER))
    },
  },
  'one-clock-jumped': ONE_CLOCK_JUMPED,
  'node-killed': {
    says: 'one server is killed and started again (SIGKILL)',
    wanted: { failed: 8 },
    async run({ nodes }) {
      await nodes[0]?.server.end('SIGKILL')
      await pause(5_000)
      nodes[0]?.server.start()
    },
  },
  'nodes-killed': {
    says: 'the servers are killed in turn, twenty times, and started again (SIGKILL)',
    wanted: { failed: 20 * 8 },
    async run({ nodes }) {
      for (let turn = 0; turn < 20; turn += 1) {
        const node = nodes[turn % nodes.length] as Node
        await node.server.end('SIGKILL')
        await pause(2_000)
        node.server.start()
        await until(node.name, async () => (await statusOf(`${node.url}/readyz`)) === 200)
        await pause(NOTICED)
      }
    },
  },
  'killed-in-turn': KILLED_IN_TURN,
  'secret-rotated': SECRET_ROTATED,
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
