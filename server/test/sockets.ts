import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ServerEvents } from '@vrata/contract'
import { io, type Socket } from 'socket.io-client'
import { expect, onTestFinished } from 'vitest'
import type { Caller, House } from './house.ts'

/** A page's socket, and what it has heard. */
export interface Ear {
  socket: Socket<ServerEvents>
  heard: string[]
  /** Settles once it has heard this; fails otherwise. */
  hears(...events: string[]): Promise<void>
  /** Settles once the connection is gone, or was refused. */
  gone(): Promise<void>
}

type Cookies = Pick<Caller, 'cookies'>
export type SocketFrom = { origin?: string; ip?: string }

/** Opens the house to the network; answers where. */
export async function listen(house: House): Promise<string> {
  if (!house.app.server.listening) await house.app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(house.app.server.address() as AddressInfo).port}`
}

/** Opens a socket with a browser's cookies, as its pages do; it closes with the test. */
export async function openEar(house: House, browser: Cookies, from: SocketFrom = {}): Promise<Ear> {
  const socket: Socket<ServerEvents> = io(await listen(house), {
    path: '/socket.io',
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: headersOf(house, browser, from),
  })
  onTestFinished(() => void socket.close())
  const heard: string[] = []
  socket.onAny((event: string, what?: object) => void heard.push(what ? `${event} ${Object.values(what)}` : event))
  let left = false
  for (const end of ['disconnect', 'connect_error'] as const) socket.on(end, () => (left = true))
  return {
    socket,
    heard,
    hears: (...events) =>
      expect.poll(() => heard, { timeout: 5000, interval: 5 }).toEqual(expect.arrayContaining(events)),
    gone: () => expect.poll(() => left, { timeout: 5000, interval: 5 }).toBe(true),
  }
}

/** The same, once it is in. */
export async function connectEar(house: House, browser: Cookies, from?: SocketFrom): Promise<Ear> {
  const ear = await openEar(house, browser, from)
  await new Promise<void>((resolve, reject) => ear.socket.on('connect', resolve).on('connect_error', reject))
  return ear
}

/** Knocks without any client of ours; the answer's status, and the connection when it is 101. */
export async function knock(
  house: House,
  browser: Cookies,
  from: SocketFrom & { path?: string } = {},
): Promise<{ status: number; connection?: Duplex }> {
  const { path = '/socket.io/?EIO=4&transport=websocket' } = from
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headersOf(house, browser, from),
  }
  const asked: ClientRequest = request(`${await listen(house)}${path}`, { headers })
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

/** A text frame as clients send it (RFC 6455 §5.2), masked with zeros. */
export function frame(text: string | Buffer, opcode = 1): Buffer {
  const body = Buffer.from(text)
  const length =
    body.length < 126
      ? Buffer.from([0x80 | body.length])
      : Buffer.from([0x80 | 126, body.length >> 8, body.length & 255])
  return Buffer.concat([Buffer.from([0x80 | opcode]), length, Buffer.alloc(4), body])
}

function headersOf(house: House, { cookies }: Cookies, { origin = house.config.url, ip }: SocketFrom) {
  return {
    ...(origin ? { origin } : {}),
    ...(cookies.size ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } : {}),
    ...(ip ? { 'x-forwarded-for': ip } : {}),
  }
}
