import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase, testEngine } from '../../../test/databases/template-db.ts'
import { isUnavailable } from '../dialect.ts'
import { TIMEOUTS } from '../timeouts.ts'
import { connectClient } from './postgres-client.ts'

const onPostgres = test.runIf(testEngine === 'postgres')

/** A proxy without a server behind it, which closes each connection at once, until it gets one. */
async function proxyWithoutServer() {
  const { url = '', remove } = await freshDatabase()
  const to = new URL(url)
  const seen = { connections: 0, leadsOn: false }
  const sockets = new Set<Socket>()
  const proxy = createServer((near) => {
    seen.connections += 1
    sockets.add(near)
    near.on('error', () => {})
    if (!seen.leadsOn) return near.end()
    const far = connect(Number(to.port), to.hostname)
    far.on('error', () => near.destroy())
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const through = new URL(url)
  through.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const client = connectClient(through.href, { max: 1, timeouts: TIMEOUTS, pooled: false })
  onTestFinished(async () => {
    await client.end({ timeout: 0 })
    for (const socket of sockets) socket.destroy()
    proxy.close()
    await remove()
  })
  return { client, seen }
}

onPostgres('a connection that is closed at once is tried again with a pause, until there is one', async () => {
  const { client, seen } = await proxyWithoutServer()
  const answer = client.unsafe('select 7 as value').execute()
  const began = performance.now()
  await pause(1000)
  await expect.poll(() => seen.connections).toBeGreaterThan(1)
  expect(seen.connections).toBeLessThan((25 * (performance.now() - began)) / 1000)
  seen.leadsOn = true
  expect((await answer)[0]).toEqual({ value: 7 })
})

onPostgres('a client that is ended connects no more', async () => {
  const { client, seen } = await proxyWithoutServer()
  const answer = client.unsafe('select 7 as value').then(
    () => 'answered',
    () => 'rejected',
  )
  await pause(300)
  await client.end({ timeout: 0 })
  expect(await answer).toBe('rejected')
  seen.leadsOn = true
  // An attempt may be on its way.
  await pause(300)
  const { connections } = seen
  await pause(600)
  expect(seen.connections).toBe(connections)
})

/** Milliseconds that Linux waits at least before it acknowledges data for which no answer is sent. */
const DELAYED_ACKNOWLEDGMENT = 40

onPostgres('the end of a COPY is sent without waiting for an acknowledgment', async () => {
  const { url = '', remove } = await freshDatabase()
  const client = connectClient(url, { max: 1, timeouts: TIMEOUTS, pooled: false })
  onTestFinished(async () => {
    await client.end()
    await remove()
  })
  const took: number[] = []
  // Data of the first moments of a connection is acknowledged at once.
  for (let n = 0; n < 60; n += 1) {
    const began = performance.now()
    const copy = await client.unsafe('copy settings (key, value) from stdin').writable()
    await new Promise((resolve) => copy.end(resolve))
    took.push(performance.now() - began)
  }
  expect(Math.min(...took.slice(30))).toBeLessThan(DELAYED_ACKNOWLEDGMENT)
})

test('a connection that fails before it begins rejects the statement, and the process continues', async () => {
  // No socket can lead to the broadcast address, so Node knows the error at once, as when the machine has lost its network.
  const url = 'postgres://vrata@255.255.255.255/vrata?sslmode=disable'
  const client = connectClient(url, { max: 1, timeouts: TIMEOUTS, pooled: true })
  const error = await client.unsafe('select 1').catch((rejected: unknown) => rejected)
  expect(isUnavailable(error)).toBe(true)
  await client.end({ timeout: 0 })
})

const hasIpv6 = Object.values(networkInterfaces()).some((some) => some?.some(({ address }) => address === '::1'))

test.each<[string, boolean, () => Promise<{ listen: object; authority(port: number): string }>]>([
  [
    'an IPv6 address',
    hasIpv6,
    async () => ({ listen: { host: '::1', port: 0 }, authority: (port) => `[::1]:${port}` }),
  ],
  [
    'the folder of a socket',
    true,
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'vrata-socket-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      return { listen: { path: join(folder, '.s.PGSQL.5432') }, authority: () => encodeURIComponent(folder) }
    },
  ],
])('the URL may name %s', async (_, isPossible, prepared) => {
  if (!isPossible) return
  const { listen, authority } = await prepared()
  const server = createServer((socket) => socket.destroy()).listen(listen)
  await once(server, 'listening')
  const connected = once(server, 'connection').then(() => 'connected')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const client = connectClient(`postgres://vrata@${authority(port)}/vrata`, {
    max: 1,
    timeouts: TIMEOUTS,
    pooled: true,
  })
  const failed = client.unsafe('select 1').catch((error: { code: unknown }) => error.code)
  expect(await Promise.race([connected, failed])).toBe('connected')
  await client.end({ timeout: 0 })
  server.close()
})
