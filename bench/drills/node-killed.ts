import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { account, sessions } from '@vrata/contract'
import { RECONNECTION, SOCKET_PATH } from '@vrata/contract/realtime'
import { io, type Socket } from 'socket.io-client'
import { apiClient, type Cookies, cookieHeader, dataOf } from '../../testing/api-client.ts'
import type { Cluster, Node } from '../cluster/cluster.ts'
import { statusOf, until } from '../cluster/program.ts'
import { median } from '../measure.ts'
import { type ClusterDrill, NOTICED } from './cluster-drill.ts'
import type { Load } from './load.ts'
import {
  halfSignedIn,
  type Person,
  type Place,
  register,
  registerWithSecondFactor,
  sendCode,
  sendPassword,
  sessionAt,
} from './people.ts'

const KILLS = Number(process.env.KILLS ?? 20)
/** People with open pages, and pages of each. */
const WATCHERS = 3
const PAGES = 20
/** Wrong passwords that cost an account nothing; the next attempt must wait (decision 0015). */
const FREE_FAILURES = 10
/** Requests a second; an operation of the load has 5/3 on average. */
const RATE = 50

/** Results of a kill. */
type Kill = { failed: number; late: number; event_ms: number; back_ms: number; wrong: string[] }

export const KILLED_IN_TURN: ClusterDrill = {
  says: `one of two servers is killed ${KILLS} times at ${RATE} requests a second (SIGKILL; KILLS sets another number): sessions, used codes, counters, sockets, events`,
  servers: 2,
  pace: { rate: () => (RATE * 3) / 5 },
  wanted: {},
  async run(cluster, { load }) {
    const people: Person[] = []
    const guessed: string[] = []
    for (let turn = 0; turn < KILLS; turn += 1) {
      people.push(await registerWithSecondFactor(cluster, cluster.outbox, `oseba${turn}@example.com`))
      guessed.push(`tarca${turn}@example.com`)
      await register(cluster, guessed[turn] as string)
    }
    const pages = people
      .slice(0, WATCHERS)
      .flatMap((person) => Array.from({ length: PAGES }, () => openPage(cluster, person)))
    try {
      await until('the sockets', async () => pages.every(({ socket }) => socket.connected))
      const signedIn: Cookies[] = people.map(({ cookies }) => cookies)
      const kills: Kill[] = []
      for (let turn = 0; turn < KILLS; turn += 1) {
        const given = { person: people[turn] as Person, guessed: guessed[turn] as string, pages, signedIn }
        kills.push(await killOnce(cluster, load, turn, given))
      }
      const most = (of: (kill: Kill) => number) => Math.max(...kills.map(of))
      const wrong = kills.flatMap((kill) => kill.wrong)
      return {
        seen: {
          kills: KILLS,
          failed_at_most: most(({ failed }) => failed),
          began_later: kills.reduce((sum, { late }) => sum + late, 0),
          sessions: signedIn.length,
          sockets: pages.length,
          event_ms: Math.round(median(kills.map(({ event_ms }) => event_ms))),
          event_longest_ms: most(({ event_ms }) => event_ms),
          back_ms: Math.round(median(kills.map(({ back_ms }) => back_ms))),
          back_longest_ms: most(({ back_ms }) => back_ms),
          wrong: [...new Set(wrong)].join('; '),
        },
        wanted: {
          'at most 8 requests fail in each kill': most(({ failed }) => failed) <= 8,
          'none fails that began when the server had ended': kills.every(({ late }) => late === 0),
          'events cross servers within 1 s': most(({ event_ms }) => event_ms) <= 1_000,
          'sockets are back within 15 s': most(({ back_ms }) => back_ms) <= 15_000,
          'sessions, used codes and counters of the killed server hold at the other': wrong.length === 0,
        },
      }
    } finally {
      for (const { socket } of pages) socket.close()
    }
  },
}

/** A socket through the proxy, and the person whose page it is. */
type Page = { socket: Socket; person: Person }
type Given = { person: Person; guessed: string; pages: Page[]; signedIn: Cookies[] }

/** Writes at one server, kills it, and asks the other one for what was written. */
async function killOnce(
  { nodes, url: origin }: Cluster,
  load: Load,
  turn: number,
  { person, guessed, pages, signedIn }: Given,
): Promise<Kill> {
  const [victim, other] = (turn % 2 === 0 ? nodes : nodes.toReversed()) as [Node, Node]
  const [there, here]: Place[] = [victim, other].map(({ url }) => ({ url, origin })) as [Place, Place]
  const wrong: string[] = []
  const expect = (what: string, seen: string, wanted: string) => {
    if (seen !== wanted) wrong.push(`${what}: ${seen} instead of ${wanted}`)
  }
  const watchers = new Set(pages.map((page) => page.person))
  // Refreshes like the pages, before the short cookie expires; sockets send the new one when they reconnect.
  for (const { cookies } of watchers) dataOf(await apiClient({ ...there, cookies })(sessions.refresh, {}))
  for (const { socket, person } of pages) socket.io.opts.extraHeaders = headersOf(origin, person.cookies)
  const [watcher = person] = watchers
  const event_ms = await eventTime(there, here, watcher, `Ana ${turn}`)

  const [session, pending] = [await halfSignedIn(there, person), await halfSignedIn(there, person)]
  const otp_token = person.code()
  expect('a code', await sendCode(there, session, { otp_token }), 'done')
  signedIn.push(session)
  for (let guess = 1; guess < FREE_FAILURES; guess += 1) {
    expect('a wrong password', await sendPassword(there, guessed, `napacno geslo ${guess}`), 'invalid_credentials')
  }

  const before = load.failedSince(0)
  const killed = performance.now()
  await victim.server.end('SIGKILL')
  const ended = performance.now()
  expect('the last wrong passwords', await guessUntilItWaits(here, guessed), 'too_many_requests')
  expect('a used code', await sendCode(here, pending, { otp_token }), 'invalid_otp')
  expect('the next code', await sendCode(here, pending, { otp_token: person.code(1) }), 'done')
  for (const cookies of signedIn) expect('a session', await sessionAt(here, cookies), 'valid')
  // Sockets do not know at once that the server is gone.
  await pause(200)
  await until('the sockets', async () => pages.every(({ socket }) => socket.connected))
  const back_ms = Math.round(performance.now() - killed)

  victim.server.start()
  await until(victim.name, async () => (await statusOf(`${victim.url}/readyz`)) === 200)
  await pause(NOTICED)
  return { failed: load.failedSince(0) - before, late: load.failedSince(ended), event_ms, back_ms, wrong }
}

/**
 * Sends wrong passwords until the account must wait; resolves with the last answer. One is enough, more where this machine takes longer
 * than the first wait, one second. If the counter were lost, ten would be needed.
 */
async function guessUntilItWaits(place: Place, username: string): Promise<string> {
  let answer = ''
  for (let guess = 0; guess < 5 && answer !== 'too_many_requests'; guess += 1)
    answer = await sendPassword(place, username, 'napacno geslo')
  return answer
}

/** Milliseconds from a change at one server until a socket of the other one has its event. */
async function eventTime(there: Place, here: Place, { cookies }: Person, first_name: string): Promise<number> {
  const socket = open(here.url, here.origin as string, cookies)
  try {
    await until('a socket', async () => socket.connected)
    const received = new Promise<number>((resolve) => socket.once('account:updated', () => resolve(performance.now())))
    const began = performance.now()
    dataOf(await apiClient({ ...there, cookies })(account.updateAccount, { first_name }))
    const late = pause(10_000, Number.POSITIVE_INFINITY, { ref: false })
    return Math.round((await Promise.race([received, late])) - began)
  } finally {
    socket.close()
  }
}

function openPage({ url }: Cluster, person: Person): Page {
  return { socket: open(url, url, person.cookies), person }
}

/** A socket as the pages open it. */
function open(url: string, origin: string, cookies: Cookies): Socket {
  const extraHeaders = headersOf(origin, cookies)
  return io(url, { path: SOCKET_PATH, transports: ['websocket'], forceNew: true, ...RECONNECTION, extraHeaders })
}

/** Each time from another network, so that no limit for sockets of an address is reached. */
function headersOf(origin: string, cookies: Cookies): Record<string, string> {
  const from = `10.${randomInt(256)}.${randomInt(256)}.1`
  return { origin, cookie: cookieHeader(cookies) ?? '', 'x-forwarded-for': from }
}
