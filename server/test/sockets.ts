import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ServerEvents } from '@vrata/contract'
import { io, type Socket } from 'socket.io-client'
import { expect, onTestFinished } from 'vitest'
import type { Caller, TestServer } from './test-server.ts'

/** The socket of a page, with the events that it has received. */
export interface TestSocket {
  socket: Socket<ServerEvents>
  received: string[]
  /** Resolves once it has received these events; rejects after a timeout. */
  receives(...events: string[]): Promise<void>
  /** Resolves once the connection is closed or rejected. */
  gone(): Promise<void>
}

type Cookies = Pick<Caller, 'cookies'>
export type SocketFrom = { origin?: string; ip?: string }

/** Starts listening on a free port; resolves with the URL. */
export async function listen(testServer: TestServer): Promise<string> {
  if (!testServer.app.server.listening) await testServer.app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(testServer.app.server.address() as AddressInfo).port}`
}

/** Opens a socket with the cookies of a browser; closed when the test ends. */
export async function openSocket(testServer: TestServer, browser: Cookies, from: SocketFrom = {}): Promise<TestSocket> {
  // As in a browser, where the events of a sign-in are sent long before a page has opened its socket.
  await testServer.deps.realtime.sent()
  const socket: Socket<ServerEvents> = io(await listen(testServer), {
    path: '/socket.io',
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: headersOf(testServer, browser, from),
  })
  onTestFinished(() => void socket.close())
  const received: string[] = []
  socket.onAny((event: string, what?: object) => void received.push(what ? `${event} ${Object.values(what)}` : event))
  let left = false
  for (const end of ['disconnect', 'connect_error'] as const) socket.on(end, () => (left = true))
  return {
    socket,
    received,
    receives: (...events) => expect.poll(() => received, { interval: 5 }).toEqual(expect.arrayContaining(events)),
    gone: () => expect.poll(() => left, { interval: 5 }).toBe(true),
  }
}

/** Like `openSocket`, and resolves once connected. */
export async function connectSocket(testServer: TestServer, browser: Cookies, from?: SocketFrom): Promise<TestSocket> {
  const listener = await openSocket(testServer, browser, from)
  await new Promise<void>((resolve, reject) => listener.socket.on('connect', resolve).on('connect_error', reject))
  return listener
}

/** Sends an upgrade request without a Socket.IO client; resolves with the status, and the connection for 101. */
export async function requestUpgrade(
  testServer: TestServer,
  browser: Cookies,
  from: SocketFrom & { path?: string } = {},
): Promise<{ status: number; connection?: Duplex }> {
  const { path = '/socket.io/?EIO=4&transport=websocket' } = from
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headersOf(testServer, browser, from),
  }
  const asked: ClientRequest = request(`${await listen(testServer)}${path}`, { headers })
  asked.end()
  return await new Promise((resolve, reject) => {
    asked.on('response', (answer: IncomingMessage) => {
      answer.resume()
      resolve({ status: answer.statusCode ?? 0 })
    })
    asked.on('upgrade', (answer: IncomingMessage, connection: Duplex) => {
      connection.on('error', () => {})
      resolve({ status: answer.statusCode ?? 0, connection })
    })
    asked.on('error', reject)
  })
}

/** A client text frame (RFC 6455 §5.2), masked with zeros. */
export function frame(text: string | Buffer, opcode = 1): Buffer {
  const body = Buffer.from(text)
  const length =
    body.length < 126
      ? Buffer.from([0x80 | body.length])
      : Buffer.from([0x80 | 126, body.length >> 8, body.length & 255])
  return Buffer.concat([Buffer.from([0x80 | opcode]), length, Buffer.alloc(4), body])
}

function headersOf(testServer: TestServer, { cookies }: Cookies, { origin = testServer.config.url, ip }: SocketFrom) {
  return {
    ...(origin ? { origin } : {}),
    ...(cookies.size ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}),
    ...(ip ? { 'x-forwarded-for': ip } : {}),
  }
}
