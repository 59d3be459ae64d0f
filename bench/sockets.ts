/** A thousand open pages of one process (security.md F11): how fast they are there, what they cost, how fast news are. */
import { setTimeout as pause } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import { startVrata, type Target } from './targets.ts'

const PAGES = 1000
const PER_SESSION = 25
const NEWS = 10
const PASSWORD = 'kamen-na-kamen-palaca'

type Page = { socket: Socket; cookie: string; from: string }

export async function benchSockets(): Promise<void> {
  const target = await startVrata()
  const pages: Page[] = []
  try {
    const sessions = await signIns(target.url, PAGES / PER_SESSION)
    await pause(3000)
    const before = target.memory_mb()

    const began = performance.now()
    for (let i = 0; i < PAGES; i += 1) pages.push(open(target.url, sessions[i % sessions.length] ?? '', address(i)))
    const up_ms = await all(pages, began)
    await pause(3000)
    const after = target.memory_mb()

    const late: number[] = []
    for (let i = 0; i < NEWS; i += 1) late.push(...(await tell(target, pages, `Ana ${i}`)))
    late.sort((a, b) => a - b)
    const at = (part: number) => Math.round(late[Math.ceil(late.length * part) - 1] ?? Number.NaN)

    const crashed = performance.now()
    await target.crash()
    const back_ms = await all(pages, crashed)
    console.log(
      [
        `| ${PAGES} pages up | ${(up_ms / 1000).toFixed(1)} s |`,
        `| memory for them | ${after - before} MB (${before} → ${after}) |`,
        `| an event at all of them, p50 / p99 / last | ${at(0.5)} / ${at(0.99)} / ${at(1)} ms |`,
        `| all back after kill -9 and a new start | ${(back_ms / 1000).toFixed(1)} s |`,
      ].join('\n'),
    )
  } finally {
    for (const { socket } of pages) socket.close()
    await target.stop()
  }
}

/** One person with many sessions, each from an address of its own. */
async function signIns(url: string, many: number): Promise<string[]> {
  const who = { email: 'ana@example.com', password: PASSWORD }
  const cookies = [await call(url, '/auth/register', who, address(0))]
  for (let i = 1; i < many; i += 1) {
    const credentials = { username: who.email, password: PASSWORD }
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

/** Milliseconds until every page is connected. */
async function all(pages: readonly Page[], began: number): Promise<number> {
  // A page that has not noticed yet that its server is gone is not back.
  if (pages.every(({ socket }) => socket.connected)) await pause(200)
  while (!pages.every(({ socket }) => socket.connected)) {
    if (performance.now() - began > 60_000)
      throw new Error(`${pages.filter(({ socket }) => !socket.connected).length} pages are not there after a minute`)
    await pause(10)
  }
  return performance.now() - began
}

/** From the request that changes something until each page hears of it. */
async function tell({ url }: Target, pages: readonly Page[], first_name: string): Promise<number[]> {
  const began = performance.now()
  const heard = pages.map(
    ({ socket }) =>
      new Promise<number>((resolve) => socket.once('account:updated', () => resolve(performance.now() - began))),
  )
  const { cookie, from } = pages[0] as Page
  await call(url, '/account', { first_name }, from, cookie, 'PUT')
  return await Promise.all(heard)
}
