import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { socketsOf } from '../../targets.ts'
import { type OneServerDrill, quantile, underLoad } from './one-server.ts'

const SLOW_CLIENTS = 1000
/** Requests that a client sends at once whose answers it does not read, and what they ask for. */
const UNREAD = 4
const LARGE_ANSWER = '/v1/openapi.json'
/** Seconds in which a client that reads nothing must be cut off. */
const CUT_AFTER = 180
/** Bytes of a large body, and how many of them come at once. */
const LARGE = 10_000_000
const LARGE_AT_ONCE = 20

export const CLIENT_DRILLS: Record<string, OneServerDrill> = {
  'slow-clients': {
    says: `${SLOW_CLIENTS} clients send one byte of their headers a second`,
    async run() {
      let idle: number[] = []
      let busy: number[] = []
      const { figures, seen } = await underLoad({
        async damage({ url }) {
          idle = await readTimes(url, 10)
          const slow = await slowClients(Number(new URL(url).port))
          busy = await readTimes(url, 20)
          const closed = slow.filter((socket) => socket.destroyed).length
          for (const socket of slow) socket.destroy()
          return { slow_clients: slow.length, closed_by_server: closed }
        },
      })
      const times = { idle_p99_ms: quantile(idle, 0.99), busy_p99_ms: quantile(busy, 0.99) }
      const wanted = {
        'all slow clients are closed': seen.closed_by_server === SLOW_CLIENTS,
        'nothing fails': figures.failed === 0,
        'others wait at most twice as long, or 100 ms': times.busy_p99_ms <= Math.max(100, 2 * times.idle_p99_ms),
      }
      return { figures, seen: { ...seen, ...times }, wanted }
    },
  },
  'slow-readers': {
    says: `${SLOW_CLIENTS} clients send ${UNREAD} requests each and read none of the answers`,
    async run() {
      let idle: number[] = []
      let busy: number[] = []
      const { figures, seen } = await underLoad({
        async damage(target) {
          const { url } = target
          idle = await readTimes(url, 10)
          const before = target.memory_mib()
          const readers = await unreadAnswers(Number(new URL(url).port))
          busy = await readTimes(url, 20)
          const most = target.memory_mib()
          const began = performance.now()
          const isOpen = () => socketsOf(target.pid) > SLOW_CLIENTS / 10
          while (isOpen() && performance.now() < began + CUT_AFTER * 1000) await pause(500)
          const open = socketsOf(target.pid)
          const cut_after_s = Math.round(20 + (performance.now() - began) / 1000)
          for (const socket of readers) socket.destroy()
          return { slow_readers: readers.length, still_open: open, cut_after_s, memory_before: before, memory: most }
        },
      })
      const times = { idle_p99_ms: quantile(idle, 0.99), busy_p99_ms: quantile(busy, 0.99) }
      const wanted = {
        'slow readers are cut off': Number(seen.still_open) < 100,
        'nothing fails': figures.failed === 0,
        'others wait at most twice as long, or 100 ms': times.busy_p99_ms <= Math.max(100, 2 * times.idle_p99_ms),
      }
      return { figures, seen: { ...seen, ...times }, wanted }
    },
  },
  'large-bodies': {
    says: `${LARGE_AT_ONCE} bodies of ${LARGE / 1e6} MB at once, of each kind: JSON, form, without a length, compressed, a picture`,
    async run() {
      let sent: SentBody[] = []
      const { figures, seen } = await underLoad({
        async damage(target) {
          await pause(15_000)
          // The first bodies load code and let V8 take the memory that it keeps.
          await sendLargeBodies(target.url)
          const watched = watchMemory(target)
          sent = await sendLargeBodies(target.url)
          return {
            ...watched.stop(),
            answers: sent.map(({ name, statuses }) => `${name} ${statuses.join(' ')}`).join(', '),
          }
        },
      })
      const wanted = {
        'each is refused, and gets the answer': sent.every(({ statuses }) =>
          statuses.every((one) => [400, 401, 413, 415].includes(one)),
        ),
        'within a second': sent.every(({ longest_ms }) => longest_ms <= 1000),
        'at most 20 MiB more': Number(seen.memory_most) - Number(seen.memory_before) <= 20,
        'nothing fails': figures.failed === 0,
      }
      const longest_answer_ms = sent.map(({ name, longest_ms }) => `${name} ${longest_ms}`).join(', ')
      return { figures, seen: { ...seen, longest_answer_ms }, wanted }
    },
  },
}

/** Opens connections that send one byte of a header a second; resolves when all are open. */
async function slowClients(port: number): Promise<Socket[]> {
  const sockets = Array.from({ length: SLOW_CLIENTS }, () => connect(port, 'localhost'))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const socket of sockets) {
    socket.on('error', () => {}).resume()
    socket.write('GET /v1/account HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
    const timer = setInterval(() => socket.write('a'), 1000)
    socket.on('close', () => clearInterval(timer))
  }
  return sockets
}

/** Opens connections that ask for many large answers and read nothing; resolves when all have asked. */
async function unreadAnswers(port: number): Promise<Socket[]> {
  const sockets = Array.from({ length: SLOW_CLIENTS }, () => connect(port, 'localhost'))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const socket of sockets) {
    // A socket without a listener for data reads nothing.
    socket.on('error', () => {}).pause()
    await pause(10)
    socket.write(`GET ${LARGE_ANSWER} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(UNREAD))
  }
  return sockets
}

/** Milliseconds of reads, one after the other, for so many seconds. */
async function readTimes(url: string, seconds: number): Promise<number[]> {
  const times: number[] = []
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await pause(20)) {
    const began = performance.now()
    // One that fails has its time, too; the load counts failures.
    const answer = await fetch(`${url}/.well-known/openid-configuration`).catch(() => undefined)
    await answer?.arrayBuffer()
    times.push(performance.now() - began)
  }
  return times
}

type Watched = { pid: number; memory_mib(): number }

/** Looks at the memory of a server twenty times a second. */
function watchMemory(target: Watched) {
  const memory_before = target.memory_mib()
  let memory_most = memory_before
  const timer = setInterval(() => {
    memory_most = Math.max(memory_most, target.memory_mib())
  }, 50)
  return {
    stop() {
      clearInterval(timer)
      return { memory_before, memory_most }
    },
  }
}

/** Results of the bodies of one kind; status 0 is a connection that was closed before the answer. */
type SentBody = { name: string; statuses: number[]; longest_ms: number }

/** Sends bodies of each kind, those of a kind at once. */
async function sendLargeBodies(url: string): Promise<SentBody[]> {
  const kinds: SentBody[] = []
  for (const body of largeBodies()) {
    const sent = await Promise.all(
      Array.from({ length: LARGE_AT_ONCE }, () => sendLarge(Number(new URL(url).port), body)),
    )
    const longest_ms = Math.round(Math.max(...sent.map(({ ms }) => ms)))
    kinds.push({ name: body.name, statuses: [...new Set(sent.map(({ status }) => status))], longest_ms })
  }
  return kinds
}

type LargeBody = { name: string; line: string; headers: string; chunked?: boolean; body: Buffer }

function largeBodies(): LargeBody[] {
  const text = Buffer.from(`{"username":"${'a'.repeat(LARGE)}"}`)
  const sized = (body: Buffer) => `Content-Length: ${body.length}\r\n`
  const json = 'Content-Type: application/json\r\n'
  const bomb = gzipSync(text)
  const part = Buffer.concat([
    Buffer.from('--x\r\nContent-Disposition: form-data; name="profile_picture"; filename="a.png"\r\n\r\n'),
    Buffer.alloc(LARGE),
    Buffer.from('\r\n--x--\r\n'),
  ])
  const login = 'POST /v1/auth/login'
  return [
    { name: 'json', line: login, headers: json + sized(text), body: text },
    {
      name: 'form',
      line: 'POST /token',
      headers: `Content-Type: application/x-www-form-urlencoded\r\n${sized(text)}`,
      body: text,
    },
    {
      name: 'without a length',
      line: login,
      headers: `${json}Transfer-Encoding: chunked\r\n`,
      chunked: true,
      body: text,
    },
    { name: 'compressed', line: login, headers: `${json}Content-Encoding: gzip\r\n${sized(bomb)}`, body: bomb },
    {
      name: 'picture',
      line: 'PUT /v1/account/profile-picture',
      headers: `Content-Type: multipart/form-data; boundary=x\r\n${sized(part)}`,
      body: part,
    },
  ]
}

/** Sends a body until the server answers or closes; resolves with the status, and the milliseconds to the answer. */
async function sendLarge(
  port: number,
  { line, headers, chunked, body }: LargeBody,
): Promise<{ status: number; ms: number }> {
  const socket = connect(port, 'localhost')
  await once(socket, 'connect')
  const origin = `http://localhost:${port}`
  let answer = ''
  const began = performance.now()
  let ms = 0
  socket
    .on('error', () => {})
    .on('data', (chunk) => {
      ms ||= performance.now() - began
      answer += String(chunk)
    })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(
    `${line} HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: ${origin}\r\nX-Forwarded-For: 10.3.${Math.floor(Math.random() * 256)}.1\r\n${headers}\r\n`,
  )
  for (let at = 0; at < body.length && !answer && !socket.destroyed; at += 65_536) {
    const piece = body.subarray(at, at + 65_536)
    const framed = chunked
      ? Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
      : piece
    if (!socket.write(framed)) await Promise.race([once(socket, 'drain').catch(() => {}), closed])
    else await pause(0)
  }
  if (chunked && !answer) socket.write('0\r\n\r\n')
  while (!answer && !socket.destroyed) await pause(5)
  socket.destroy()
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0), ms }
}
