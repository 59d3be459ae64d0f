import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../test/databases/open-store.ts'
import { testClock } from '../../lib/clock.ts'
import { createEncryption } from '../../lib/encryption.ts'
import { startJobs } from '../jobs/runner.ts'
import { mailJob, queueMail } from './mail.ts'
import { smtpMailer } from './smtp.ts'

const MAILS = 500
const URL = 'https://accounts.example.com'
const SHORT = { connectionTimeout: 2000, greetingTimeout: 2000, socketTimeout: 500, dnsTimeout: 2000 }

/** How a mail server responds to a mail; a closed connection comes during or after the content. */
type Behavior = 'accepts' | 'defers' | 'hangs' | 'closes during' | 'closes after'

/** A mail server whose behavior is set per mail and that can be stopped. Collects completely received mails. */
async function startMailServer() {
  const received: string[] = []
  const sockets = new Set<Socket>()
  let behavior: () => Behavior = () => 'accepts'
  const now = new Map<string, Behavior>()
  const closeConnection = (id: string) => {
    for (const socket of sockets) if (`${socket.remotePort}` === id) socket.destroy()
  }
  const open = (port: number) => {
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      onMailFrom(_, session, done) {
        const next = behavior()
        now.set(session.id, next)
        if (next === 'defers') done(Object.assign(new Error('try again later'), { responseCode: 451 }))
        else if (next !== 'hangs') done()
      },
      onData(stream, session, done) {
        const { remotePort } = session as typeof session & { remotePort: number }
        if (now.get(session.id) === 'closes during') {
          stream.on('error', () => {})
          stream.once('data', () => closeConnection(`${remotePort}`))
          stream.resume()
          return
        }
        text(stream).then(
          (mail) => {
            received.push(mail)
            if (now.get(session.id) === 'closes after') closeConnection(`${remotePort}`)
            else done()
          },
          // The client disconnected: an incomplete mail does not count.
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
  const stop = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy()
      server.close(() => resolve())
    })
  onTestFinished(stop)
  return {
    port,
    received,
    stop,
    setBehavior: (how: () => Behavior) => {
      behavior = how
    },
    async restart() {
      server = open(port)
      await once(server.server, 'listening')
    },
  }
}

async function openMailQueue() {
  const { store } = await openStore()
  const clock = testClock()
  const encryption = createEncryption('a secret for tests, of a good length, and of nobody')
  const mailServer = await startMailServer()
  const mailer = smtpMailer({
    url: `smtp://127.0.0.1:${mailServer.port}`,
    from: 'no-reply@example.com',
    timeouts: SHORT,
  })
  onTestFinished(() => mailer.close())
  const errors: Record<string, unknown>[] = []
  const log = { warn: () => {}, error: (about: object) => void errors.push(about as Record<string, unknown>) }
  const handlers = { mail: mailJob({ mailer, encryption, clock, url: URL }) }
  const runner = startJobs({ store, clock, handlers, log, poll: false })
  onTestFinished(() => runner.stop())

  /** Writes a row and queues a mail in one transaction. */
  const act = (id: string, { expires_at, fails = false }: { expires_at?: string; fails?: boolean } = {}) =>
    store.transaction(async ({ db }) => {
      await db.insertInto('settings').values({ key: id, value: 'happened' }).execute()
      await queueMail(
        { db, clock, signals: store.signals, encryption },
        {
          to: `${id}@example.com`,
          locale: 'sl-SI',
          template: 'otp_on',
          values: {
            name: 'Ana',
            link: `${URL}/security`,
            at: clock.now().toISOString(),
            device: 'Firefox',
            place: 'none',
          },
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
  return { clock, mailServer, runner, errors, act, happened, rows }
}

const headerOf = (mail: string, name: string) => new RegExp(`^${name}: (.*)\r$`, 'm').exec(mail)?.[1] ?? ''

test('delivers 500 mails once a mail server that was down, deferred, hung and disconnected works again (security §20.5)', async () => {
  const { clock, mailServer, runner, errors, act, happened, rows } = await openMailQueue()
  await mailServer.stop()
  for (let i = 0; i < MAILS; i += 1) {
    await act(`m${i}`)
    // Every tenth transaction is rolled back, with its mail.
    if (i % 10 === 0) await expect(act(`undone${i}`, { fails: true })).rejects.toThrow('undone')
  }
  const links = 5
  const soon = new Date(clock.now().getTime() + 300_000).toISOString()
  for (let i = 0; i < links; i += 1) await act(`link${i}`, { expires_at: soon })
  expect(await rows()).toHaveLength(MAILS + links)

  // Ten minutes without a server; the pause after each failed attempt doubles from 5 s.
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
  expect(mailServer.received).toEqual([])
  expect(errors.map(({ error }) => error)).toEqual(Array(links).fill('its link has expired'))

  // The server is back, and the first attempts fail in different ways.
  await mailServer.restart()
  const failures: Behavior[] = [
    ...Array<Behavior>(100).fill('defers'),
    ...Array<Behavior>(10).fill('hangs'),
    ...Array<Behavior>(10).fill('closes during'),
    ...Array<Behavior>(5).fill('closes after'),
  ]
  mailServer.setBehavior(() => failures.shift() ?? 'accepts')
  for (let round = 0; round < 4; round += 1) {
    clock.advance(900)
    await runner.runDue()
  }
  expect(failures).toEqual([])

  expect([...new Set(mailServer.received.map((mail) => headerOf(mail, 'To')))].sort()).toEqual(
    (await happened()).filter((address) => !address.startsWith('link')).sort(),
  )
  // Duplicates have the same Message-ID; there is one per connection that closed after a complete mail.
  const ids = mailServer.received.map((mail) => headerOf(mail, 'Message-ID'))
  expect(new Set(ids).size).toBe(MAILS)
  expect(ids.length - MAILS).toBe(5)
  expect((await rows()).filter((row) => row.done_at === null)).toHaveLength(links)
})

test('logs an error for a mail that could not be delivered for 24 hours (security §20.5)', async () => {
  const { clock, mailServer, runner, errors, act, rows } = await openMailQueue()
  mailServer.setBehavior(() => 'defers')
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
  mailServer.setBehavior(() => 'accepts')
  clock.advance(900)
  await runner.runDue()
  expect(mailServer.received).toEqual([])
})
