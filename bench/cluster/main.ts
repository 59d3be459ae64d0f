/** `npm run cluster`: an installation of many servers on this machine, for trying things out; Ctrl-C ends and deletes it. */
import { ensurePages } from '../../scripts/build/pages.ts'
import { ensureServer } from '../../scripts/build/server-bundle.ts'
import { clusterPrograms, startCluster } from './cluster.ts'

try {
  clusterPrograms()
} catch (error) {
  console.error(`A cluster cannot run here: ${(error as Error).message}`)
  process.exit(2)
}
await ensurePages()
await ensureServer()
console.log('Starting etcd, PostgreSQL, HAProxy, PgBouncer and three servers …')
const cluster = await startCluster()
const leader = await cluster.databases.leader()
console.log(`
Pages              ${cluster.url} (HAProxy)
Servers            ${cluster.nodes.map(({ name, url, server }) => `${name} ${url} process ${server.pid}`).join(', ')}
PostgreSQL         ${cluster.primaryUrl} (HAProxy), primary: ${leader?.name}
                   ${cluster.databases.members.map(({ name, port, patroni }) => `${name} port ${port} Patroni ${patroni.pid}`).join(', ')}
PgBouncer, etcd    process ${cluster.pgbouncer.pid}, ${cluster.databases.etcd.pid}
Mails, logs        ${cluster.outbox}, ${cluster.folder}

Ctrl-C ends and deletes it.`)
let ending = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (ending) process.exit(1)
    ending = true
    void cluster.stop().then(() => process.exit(0))
  })
}
