/** 1000 sockets to one server (security §20.11): time to connect, memory, latency of events, time to reconnect. */
import { setTimeout as pause } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import { startVrata, type Target } from './targets.ts'

const PAGES = 1000
const PER_SESSION = 25
const EVENTS = 10
const PASSWORD = 'kamen-na-kamen-palaca'

type Page = { socket: Socket; cookie: string; from: string }

export async function benchSockets(): Promise<void> {
  const target = await startVrata()
  const pages: Page[] = []
  try {
    const sessions = await signIns(target.url, PAGES / PER_SESSION)
    await pause(3000)
    const before = target.memory_mib()

    const began = performance.now()
    for (let i = 0; i < PAGES; i += 1) pages.push(open(target.url, sessions[i % sessions.length] ?? '', address(i)))
    const up_ms = await connected(pages, began)
    await pause(3000)
    const after = target.memory_mib()

    const latencies: number[] = []
    for (let i = 0; i < EVENTS; i += 1) latencies.push(...(await eventLatencies(target, pages, `Ana ${i}`)))
    latencies.sort((a, b) => a - b)
    const at = (part: number) => Math.round(latencies[Math.ceil(latencies.length * part) - 1] ?? Number.NaN)

    const crashed = performance.now()
    await target.crash()
    const back_ms = await connected(pages, crashed)
    console.log(
      [
        `| ${PAGES} sockets connected | ${(up_ms / 1000).toFixed(1)} s |`,
        `| additional memory | ${after - before} MiB (${before} → ${after}) |`,
        `| latency of an event, p50 / p99 / maximum | ${at(0.5)} / ${at(0.99)} / ${at(1)} ms |`,
        `| all reconnected after kill -9 and a restart | ${(back_ms / 1000).toFixed(1)} s |`,
      ].join('\n'),
    )
  } finally {
    for (const { socket } of pages) socket.close()
    await target.stop()
  }
}

/** Signs one user in many times, each time from another address. Returns the cookies of the sessions. */
async function signIns(url: string, many: number): Promise<string[]> {
  const user = { email: 'ana@example.com', password: PASSWORD }
  const cookies = [await call(url, '/auth/register', user, address(0))]
  for (let i = 1; i < many; i += 1) {
    const credentials = { username: user.email, password: PASSWORD }
    cookies.push(await call(url, '/auth/login', credentials, address(i * 7)))
  }
  return cookies
}

async function call(url: string, path: string, body: object, from: string, cookie = '', method = 'POST') {
  const headers = { origin: url, 'content-type': 'application/json', 'x-forwarded-for': from, cookie }
  const answer = await fetch(`${url}/v1${path}`, { method, headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
}

function address(i: number): string {
  return `10.${(i >> 6) & 255}.${i & 255}.7`
}

function open(url: string, cookie: string, from: string): Page {
  const socket = io(url, {
    path: '/socket.io',
    transports: ['websocket'],
    forceNew: true,
    reconnectionDelay: 1000,
    reconnectionDelayMax: 5000,
    extraHeaders: { origin: url, cookie, 'x-forwarded-for': from },
  })
  return { socket, cookie, from }
}

/** Milliseconds until every socket is connected. */
async function connected(pages: readonly Page[], began: number): Promise<number> {
  // Right after the crash, sockets do not yet know that the server is gone.
  if (pages.every(({ socket }) => socket.connected)) await pause(200)
  while (!pages.every(({ socket }) => socket.connected)) {
    if (performance.now() - began > 60_000)
      throw new Error(
        `${pages.filter(({ socket }) => !socket.connected).length} sockets are not connected after a minute`,
      )
    await pause(10)
  }
  return performance.now() - began
}

/** Milliseconds from a changing request until each socket has received the event. */
async function eventLatencies({ url }: Target, pages: readonly Page[], first_name: string): Promise<number[]> {
  const began = performance.now()
  const received = pages.map(
    ({ socket }) =>
      new Promise<number>((resolve) => socket.once('account:updated', () => resolve(performance.now() - began))),
  )
  const { cookie, from } = pages[0] as Page
  await call(url, '/account', { first_name }, from, cookie, 'PUT')
  return await Promise.all(received)
}
