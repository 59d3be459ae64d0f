import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../test/open-store.ts'
import { testClock } from '../clock.ts'
import { startJobs } from '../jobs/runner.ts'
import { sealing } from '../sealing.ts'
import { mailJob, queueMail } from './mail.ts'
import { smtpMailer } from './smtp.ts'

const MAILS = 500
const URL = 'https://accounts.example.com'
const SHORT = { connectionTimeout: 2000, greetingTimeout: 2000, socketTimeout: 500, dnsTimeout: 2000 }

/** What a mail server does with a mail that it is offered. */
type Behaviour = 'takes' | 'later' | 'hangs' | 'cuts inside' | 'cuts behind'

/** A mail server that behaves otherwise with each mail, and can go away. It keeps what it has taken whole. */
async function openSink() {
  const taken: string[] = []
  const sockets = new Set<Socket>()
  let behaviour: () => Behaviour = () => 'takes'
  const now = new Map<string, Behaviour>()
  const cut = (id: string) => {
    for (const socket of sockets) if (`${socket.remotePort}` === id) socket.destroy()
  }
  const open = (port: number) => {
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      onMailFrom(_, session, done) {
        const next = behaviour()
        now.set(session.id, next)
        if (next === 'later') done(Object.assign(new Error('come later'), { responseCode: 451 }))
        else if (next !== 'hangs') done()
      },
      onData(stream, session, done) {
        const { remotePort } = session as typeof session & { remotePort: number }
        if (now.get(session.id) === 'cuts inside') {
          stream.on('error', () => {})
          stream.once('data', () => cut(`${remotePort}`))
          stream.resume()
          return
        }
        text(stream).then(
          (mail) => {
            taken.push(mail)
            if (now.get(session.id) === 'cuts behind') cut(`${remotePort}`)
            else done()
          },
          // Whoever sends it broke off in the middle: half a mail is none.
          () => {},
        )
      },
    })
    server.on('error', () => {})
    server.server.on('connection', (socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    server.listen(port, '127.0.0.1')
    return server
  }
  let server = open(0)
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const goAway = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy()
      server.close(() => resolve())
    })
  onTestFinished(goAway)
  return {
    port,
    taken,
    goAway,
    behave: (how: () => Behaviour) => {
      behaviour = how
    },
    async comeBack() {
      server = open(port)
      await once(server.server, 'listening')
    },
  }
}

async function openPostOffice() {
  const { store } = await openStore()
  const clock = testClock()
  const seal = sealing('a secret for tests, of a good length, and of nobody')
  const sink = await openSink()
  const mailer = smtpMailer({ url: `smtp://127.0.0.1:${sink.port}`, from: 'no-reply@example.com', timeouts: SHORT })
  onTestFinished(() => mailer.close())
  const errors: Record<string, unknown>[] = []
  const log = { warn: () => {}, error: (about: object) => void errors.push(about as Record<string, unknown>) }
  const handlers = { mail: mailJob({ mailer, sealing: seal, clock, url: URL }) }
  const runner = startJobs({ store, clock, handlers, log, poll: false })
  onTestFinished(() => runner.stop())

  /** Something happens to an account, and a mail tells of it. */
  const act = (id: string, { expires_at, fails = false }: { expires_at?: string; fails?: boolean } = {}) =>
    store.transaction(async ({ db }) => {
      await db.insertInto('settings').values({ key: id, value: 'happened' }).execute()
      await queueMail(
        { db, clock, signals: store.signals, sealing: seal },
        {
          to: `${id}@example.com`,
          locale: 'sl-SI',
          template: 'otp_on',
          values: { name: 'Ana', link: `${URL}/security`, when: clock.now().toISOString() },
          ...(expires_at ? { expires_at } : {}),
        },
      )
      if (fails) throw new Error('undone')
    })
  const happened = async () =>
    (await store.read.selectFrom('settings').select('key').where('value', '=', 'happened').execute()).map(
      ({ key }) => `${key}@example.com`,
    )
  const rows = () =>
    store.read.selectFrom('jobs').select(['id', 'run_at', 'attempts', 'done_at', 'failed_at', 'last_error']).execute()
  return { clock, sink, runner, errors, act, happened, rows }
}

const headerOf = (mail: string, name: string) => new RegExp(`^${name}: (.*)\r$`, 'm').exec(mail)?.[1] ?? ''

test('security F5 500 mails outlive a server that is down, says "later", hangs and breaks off', async () => {
  const { clock, sink, runner, errors, act, happened, rows } = await openPostOffice()
  await sink.goAway()
  for (let i = 0; i < MAILS; i += 1) {
    await act(`m${i}`)
    // Every tenth thing is undone, and its mail with it.
    if (i % 10 === 0) await expect(act(`undone${i}`, { fails: true })).rejects.toThrow('undone')
  }
  const links = 5
  const soon = new Date(clock.now().getTime() + 300_000).toISOString()
  for (let i = 0; i < links; i += 1) await act(`link${i}`, { expires_at: soon })
  expect(await rows()).toHaveLength(MAILS + links)

  // Ten minutes without a server; a try that fails is followed by a longer pause, from 5 s on.
  const pauses = new Set<number>()
  for (let second = 0; second < 600; second += 5) {
    const due = (await rows()).some((row) => !row.failed_at && row.run_at <= clock.now().toISOString())
    if (due) {
      await runner.runDue()
      for (const row of await rows())
        if (!row.failed_at) pauses.add((Date.parse(row.run_at) - clock.now().getTime()) / 1000)
    }
    clock.advance(5)
  }
  expect([...pauses]).toEqual([5, 10, 20, 40, 80, 160, 320])
  expect(sink.taken).toEqual([])
  expect(errors.map(({ error }) => error)).toEqual(Array(links).fill('its link has expired'))

  // It comes back, and not well: the first offers meet one trouble after the other.
  await sink.comeBack()
  const troubles: Behaviour[] = [
    ...Array<Behaviour>(100).fill('later'),
    ...Array<Behaviour>(10).fill('hangs'),
    ...Array<Behaviour>(10).fill('cuts inside'),
    ...Array<Behaviour>(5).fill('cuts behind'),
  ]
  sink.behave(() => troubles.shift() ?? 'takes')
  for (let round = 0; round < 4; round += 1) {
    clock.advance(900)
    await runner.runDue()
  }
  expect(troubles).toEqual([])

  expect([...new Set(sink.taken.map((mail) => headerOf(mail, 'To')))].sort()).toEqual(
    (await happened()).filter((address) => !address.startsWith('link')).sort(),
  )
  // A copy is a copy of the very same mail, and there are as many as lines were cut after a whole mail.
  const ids = sink.taken.map((mail) => headerOf(mail, 'Message-ID'))
  expect(new Set(ids).size).toBe(MAILS)
  expect(ids.length - MAILS).toBe(5)
  expect((await rows()).filter((row) => row.done_at === null)).toHaveLength(links)
}, 60_000)

test('security F5 a mail that cannot leave for 24 hours fails where the operator sees it', async () => {
  const { clock, sink, runner, errors, act, rows } = await openPostOffice()
  sink.behave(() => 'later')
  await act('ana')
  for (let quarter = 0; quarter < 24 * 4 - 1; quarter += 1) {
    await runner.runDue()
    clock.advance(900)
  }
  expect(errors).toEqual([])
  clock.advance(900)
  await runner.runDue()
  expect(errors).toEqual([expect.objectContaining({ kind: 'mail', error: expect.stringContaining('451') })])
  expect(await rows()).toEqual([expect.objectContaining({ failed_at: expect.any(String), done_at: null })])
  sink.behave(() => 'takes')
  clock.advance(900)
  await runner.runDue()
  expect(sink.taken).toEqual([])
})
