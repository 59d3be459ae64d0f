import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SOCKET_PATH } from '@vrata/contract'
import { io } from 'socket.io-client'
import { expect, onTestFinished, test } from 'vitest'
import { LocalSignals } from '../../db/signals/signals.ts'
import { REALTIME_CHANNEL, type RealtimeMessage } from './realtime.ts'
import { openSockets } from './socket-io.ts'

test('a person who leaves an organization while a page connects gets no events of it', async () => {
  const signals = new LocalSignals(() => {})
  const tell = (...messages: RealtimeMessage[]) => signals.tell(REALTIME_CHANNEL, JSON.stringify(messages))
  const before = Promise.withResolvers<string[]>()
  let reads = 0
  const sockets = openSockets({
    signals,
    log: { error() {} },
    authentication: {
      authenticate: async () => ({ person: { user_id: 'ana', session_id: 'one' }, counted: [] }),
      live: async (ids) => new Set(ids),
      // The answer of the first read is outdated.
      developers: async () => (++reads === 1 ? await before.promise : []),
    },
  })
  const server = createServer().on('upgrade', sockets.upgrade).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const page = io(url, { path: SOCKET_PATH, transports: ['websocket'], reconnection: false, forceNew: true })
  onTestFinished(() => {
    page.close()
    sockets.close()
    server.close()
  })
  const received: string[] = []
  page.onAny((event: string) => void received.push(event))
  await expect.poll(() => reads).toBe(1)
  tell({ rejoin: 'user:ana' })
  await new Promise((done) => setTimeout(done, 20))
  before.resolve(['burja'])
  await expect.poll(() => page.connected).toBe(true)
  tell({ to: 'developer:burja', event: 'members:changed', what: { developer_id: 'burja' } })
  tell({ to: 'user:ana', event: 'account:updated' })
  await expect.poll(() => received).toContain('account:updated')
  expect(received).toEqual(['account:updated'])
})

test('when organizations cannot be read, that page connects again, and others get their events', async () => {
  const signals = new LocalSignals(() => {})
  const tell = (...messages: RealtimeMessage[]) => signals.tell(REALTIME_CHANNEL, JSON.stringify(messages))
  let isAway = false
  const sockets = openSockets({
    signals,
    log: { error() {} },
    authentication: {
      authenticate: async ({ url }) => {
        const user_id = new URL(url ?? '', 'http://here.invalid').searchParams.get('user') ?? ''
        return { person: { user_id, session_id: user_id }, counted: [] }
      },
      live: async (ids) => new Set(ids),
      developers: async () => {
        if (isAway) throw new Error('the connection was closed')
        return ['burja']
      },
    },
  })
  const server = createServer().on('upgrade', sockets.upgrade).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const open = (user: string) => {
    const options = {
      path: SOCKET_PATH,
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      query: { user },
    }
    const page = io(url, options)
    onTestFinished(() => void page.close())
    const received: string[] = []
    page.onAny((event: string) => void received.push(event))
    return { page, received }
  }
  onTestFinished(() => {
    sockets.close()
    server.close()
  })
  const [ana, bor] = [open('ana'), open('bor')]
  await expect.poll(() => ana.page.connected && bor.page.connected).toBe(true)
  isAway = true
  tell({ rejoin: 'user:ana' }, { to: 'user:bor', event: 'account:updated' })
  await expect.poll(() => bor.received).toEqual(['account:updated'])
  await expect.poll(() => ana.page.connected).toBe(false)
  expect(bor.page.connected).toBe(true)
})
