import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { expectExitOnFullDisk, hasFullDisk } from '../../../test/databases/full-disk.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { type AuditSink, fileSink, openAuditSink } from '../../adapters/audit-sink.ts'
import { recordAudit } from './record.ts'
import { startSendingEvents } from './send-events.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

beforeEach(async () => {
  await server.store.db.deleteFrom('settings').where('key', '=', 'audit_sent').execute()
})

let events = 0
/** Records events; resolves with the ids of their subjects. */
async function record(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i += 1) {
    const id = `event-${++events}`
    const event = { type: 'group.created', subject: { kind: 'group', id } } as const
    await server.deps.transaction((tx) => recordAudit(tx, { command: 'a test' }, event))
    ids.push(id)
  }
  return ids
}

const idsOf = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).subject.id as string)

/** A sink in memory that refuses while `refuses`. */
function memorySink() {
  const sink = { received: '', refuses: false }
  const send: AuditSink['send'] = async (lines) => {
    if (sink.refuses) throw new Error('refused')
    sink.received += lines
  }
  return Object.assign(sink, { send })
}

describe('events are sent to the sink', () => {
  // The periodic look for events whose signal was lost never comes.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval'] }))
  afterEach(() => void vi.useRealTimers())

  test('in order, including earlier ones, and continues after a restart where it ended', async () => {
    const before = await record(2)
    const sink = memorySink()
    const first = startSendingEvents(server.deps, sink)
    await first.sendDue()
    const after = await record(1)
    await expect.poll(() => idsOf(sink.received).slice(-3)).toEqual([...before, ...after])
    await first.stop()
    const later = await record(2)
    const restarted = memorySink()
    const second = startSendingEvents(server.deps, restarted)
    await second.sendDue()
    expect(idsOf(restarted.received)).toEqual(later)
    await second.stop()
  })

  test('again, when the sink has refused them', async () => {
    const sink = memorySink()
    const sending = startSendingEvents(server.deps, sink)
    await sending.sendDue()
    sink.refuses = true
    const ids = await record(2)
    await sending.sendDue().catch(() => {})
    expect(idsOf(sink.received)).not.toContain(ids[0])
    sink.refuses = false
    await expect.poll(() => idsOf(sink.received).slice(-2)).toEqual(ids)
    await sending.stop()
  })

  test('by one repeated delivery, however many events are recorded while the sink does not answer', async () => {
    const sent = { count: 0, refuse: () => {} }
    const send = () =>
      new Promise<void>((_, reject) => {
        sent.count += 1
        sent.refuse = () => reject(new Error('refused'))
      })
    const warnings: string[] = []
    const log = { warn: (_: object, message: string) => void warnings.push(message) }
    const sending = startSendingEvents({ ...server.deps, log: log as never }, { send })
    await record(1)
    await expect.poll(() => sent.count).toBe(1)
    await record(20)
    sent.refuse()
    await expect.poll(() => warnings.length).toBeGreaterThan(0)
    await sending.stop()
    expect(warnings).toHaveLength(1)
  })

  test('by one server at a time; another one takes over when it was killed', async () => {
    const other = await server.secondNode()
    await record(1)
    const stuck = Promise.withResolvers<void>()
    const dead = startSendingEvents(server.deps, { send: () => stuck.promise })
    const held = async () =>
      (await server.store.db.selectFrom('settings').select('value').where('key', '=', 'audit_sent').executeTakeFirst())
        ?.value
    await expect.poll(held).toMatch(/ /)
    const sink = memorySink()
    const sending = startSendingEvents(other.deps, sink)
    await sending.sendDue()
    expect(sink.received).toBe('')
    other.clock.advance(31)
    await sending.sendDue()
    expect(idsOf(sink.received)).toContain(`event-${events}`)
    const position = await held()
    stuck.reject(new Error('too late'))
    await dead.stop()
    await sending.stop()
    expect(await held()).toBe(position)
    await other.close()
  })
})

test('a line that a full disk has ended stays apart from the next one', async () => {
  const path = join(server.config.data_dir, 'broken.ndjson')
  await writeFile(path, '{"one":')
  await openAuditSink({ to: 'file', path }).send('{"one":1}\n', new AbortController().signal)
  expect(await readFile(path, 'utf8')).toBe('{"one":\n{"one":1}\n')
})

test('a file on a disk that does not answer refuses each batch, keeps one thread only, and gets the events later', async () => {
  const written = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const tried: string[] = []
  const append = async (_: string, lines: string) => await written[tried.push(lines) - 1]?.promise
  const sink = fileSink('/mnt/away/audit.ndjson', append, 10)
  const send = (lines: string) => sink.send(lines, new AbortController().signal)
  const refusal = '/mnt/away/audit.ndjson has not answered for 0.01 s'
  await expect(send('one')).rejects.toThrow(refusal)
  await expect(send('one')).rejects.toThrow(refusal)
  expect(tried).toEqual(['one'])
  written[0]?.resolve()
  written[1]?.resolve()
  await expect.poll(() => send('one').catch(String)).toBe(undefined)
  expect(tried).toEqual(['one', 'one'])
})

test.runIf(hasFullDisk)('standard output that cannot be written rejects each batch and ends nothing', async () => {
  const sink = JSON.stringify(join(import.meta.dirname, '../../adapters/audit-sink.ts'))
  const code = `const { openAuditSink } = await import(${sink}); let refused = 0
    const send = () => openAuditSink({ to: 'stdout' }).send('{}')
    for (let i = 0; i < 2; i += 1) await send().catch((error) => { refused += error.code === 'ENOSPC' })
    process.exitCode = 5 + refused`
  await expectExitOnFullDisk(code, 7)
})

test('a file gets a line for each event; an address gets them by POST, until it answers 2xx', async () => {
  const path = join(server.config.data_dir, 'audit', 'events.ndjson')
  const signal = new AbortController().signal
  await openAuditSink({ to: 'file', path }).send('{"one":1}\n', signal)
  await openAuditSink({ to: 'file', path }).send('{"two":2}\n', signal)
  expect(await readFile(path, 'utf8')).toBe('{"one":1}\n{"two":2}\n')

  const requests: (string | undefined)[][] = []
  let status = 503
  const receiver = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    requests.push([request.method, request.headers['content-type'], request.headers.authorization, body])
    response.writeHead(status).end()
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  onTestFinished(() => void receiver.close())
  const { port } = receiver.address() as AddressInfo
  const sink = openAuditSink({ to: 'web', url: `http://ana:secret@127.0.0.1:${port}/events` })
  await expect(sink.send('{}\n', signal)).rejects.toThrow('answered 503')
  status = 204
  await sink.send('{}\n', signal)
  const authorization = `Basic ${Buffer.from('ana:secret').toString('base64')}`
  expect(requests[1]).toEqual(['POST', 'application/x-ndjson; charset=utf-8', authorization, '{}\n'])
})
