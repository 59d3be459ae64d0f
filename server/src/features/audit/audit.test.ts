import { audit, operators } from '@vrata/contract'
import type { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOperator, type Operator } from '../../../test/operator.ts'
import { people } from '../../../test/people.ts'
import { registerConfirmedUser } from '../../../test/registered-user.ts'
import { good } from '../../../test/second-factor.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { makeHandle, partsOfHandle } from '../../db/compiled-queries/handle.ts'
import { upsertSetting } from '../../db/settings.ts'
import { newId } from '../../lib/ids.ts'
import { pruneEvents } from './prune-events.ts'
import { recordAudit } from './record.ts'
import { verifyAudit } from './verify.ts'

let server: TestServer
let ana: Operator
beforeAll(async () => {
  server = await startTestServer()
  ana = await createOperator(server, people.ana, 'admin')
})
afterAll(() => server.close())

async function addAndRemove() {
  const person = await registerConfirmedUser(server)
  good(await ana.call(operators.addOperator, { email: person.email, role: 'auditor' }))
  good(await ana.call(operators.changeOperator, { user_id: person.user.id, role: 'support' }))
  good(await ana.call(operators.removeOperator, { user_id: person.user.id }))
  return person
}

/** Actions of Ana on a person. */
const of = ({ id }: { id: string }) => ({ subject: id, actor: ana.user.id })

describe('the audit log', () => {
  test('names actor, action, subject, change and origin of each event; newest first, page by page', async () => {
    const { user } = await addAndRemove()
    const all = good(await ana.call(audit.listAudit, of(user)))
    expect(all.map(({ type, changes }) => [type, changes])).toEqual([
      ['operator.removed', { role: ['support', null] }],
      ['operator.role_changed', { role: ['auditor', 'support'] }],
      ['operator.added', { role: [null, 'auditor'] }],
    ])
    for (const event of all) {
      expect(event.actor).toEqual({ kind: 'user', id: ana.user.id, name: 'Ana Kovač' })
      expect(event.subject).toEqual({ kind: 'operator', id: user.id, name: user.email })
      expect(event.ip).toMatch(/^127\./)
      expect(event.request_id).toBeTruthy()
    }
    const first = await ana.call(audit.listAudit, { ...of(user), limit: 2 })
    expect(good(first)).toEqual(all.slice(0, 2))
    const rest = { ...of(user), limit: 2, cursor: first.ok ? (first.next_cursor ?? '') : '' }
    expect(good(await ana.call(audit.listAudit, rest))).toEqual(all.slice(2))
    for (const cursor of ['2147483648', String(Number.MAX_SAFE_INTEGER), '-1', '1.5', 'x'])
      expect(await ana.call(audit.listAudit, { cursor })).toMatchObject({
        problem: { code: 'invalid_request', fields: { cursor: 'invalid' } },
      })
  })

  test('is filtered by actor, type and time; a day as the end is included', async () => {
    const { user } = await addAndRemove()
    const today = server.clock.now().toISOString().slice(0, 10)
    const count = async (filter: object) => good(await ana.call(audit.listAudit, { ...of(user), ...filter })).length
    expect(await count({ type: 'operator.added' })).toBe(1)
    expect(await count({ actor: ana.user.id })).toBe(3)
    expect(await count({ actor: newId(server.clock) })).toBe(0)
    expect(await count({ from: today, to: today })).toBe(3)
    expect(await count({ to: `${today}T00:00:00Z` })).toBe(0)
    expect(await count({ to: '9999-12-31' })).toBe(3)
    expect(await ana.call(audit.listAudit, { from: 'yesterday' })).toMatchObject({
      problem: { code: 'invalid_request', fields: { from: 'invalid' } },
    })
  })

  test('names an unregistered app, whose id is an address', async () => {
    const client_id = `https://notes.example/${'agents/'.repeat(40)}client.json`
    const used = { type: 'token_replayed', user_id: ana.user.id, client_id } as const
    const from = { ip: '127.0.0.1', request_id: newId(server.clock) }
    await server.deps.transaction((tx) => tx.emit('security_event', { ...used, from }))
    const [newest] = good(await ana.call(audit.listAudit))
    expect(newest).toMatchObject({ type: 'user.token_replayed', actor: { kind: 'client', id: client_id } })
    expect(good(await ana.call(audit.listAudit, { actor: client_id }))).toEqual([newest])
  })

  test('is exported as CSV and as JSON lines, and the export is recorded', async () => {
    const { user } = await addAndRemove()
    const csv = await ana.request({ url: `/v1/admin/audit/export?subject=${user.id}&actor=${ana.user.id}` })
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(csv.body.split('\r\n')).toHaveLength(5)
    const lines = await ana.request({
      url: `/v1/admin/audit/export?format=ndjson&subject=${user.id}&actor=${ana.user.id}`,
    })
    expect(lines.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    const events = lines.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.toReversed()).toEqual(good(await ana.call(audit.listAudit, of(user))))
    const [exported] = good(await ana.call(audit.listAudit, { type: 'audit.exported' }))
    expect(exported).toMatchObject({ actor: { id: ana.user.id }, subject: { kind: 'audit', id: 'ndjson' } })
  })

  test('loses the names of deleted people, but not what they did', async () => {
    const person = await addAndRemove()
    await server.store.db.deleteFrom('users').where('id', '=', person.user.id).execute()
    const [event] = good(await ana.call(audit.listAudit, { subject: person.user.id }))
    expect(event?.subject).toEqual({ kind: 'operator', id: person.user.id })
    expect((await verifyAudit(server.store.read)).broken).toBeUndefined()
  })

  test('keeps its chain when many changes are made at once', async () => {
    const { events } = await verifyAudit(server.store.read)
    await Promise.all([addAndRemove(), addAndRemove(), addAndRemove()])
    expect(await verifyAudit(server.store.read)).toEqual({ events: events + 12 })
  })
})

describe('a changed audit log is noticed', () => {
  const edit = async (work: () => Promise<unknown>) => {
    const rows = await server.store.db.selectFrom('audit_events').selectAll().execute()
    await work()
    const { broken } = await verifyAudit(server.store.read)
    await server.store.db.deleteFrom('audit_events').execute()
    for (const row of rows) await server.store.db.insertInto('audit_events').values(row).execute()
    expect((await verifyAudit(server.store.read)).broken).toBeUndefined()
    return broken
  }

  test('when an event was edited', async () => {
    await addAndRemove()
    const changed = await edit(() =>
      server.store.db.updateTable('audit_events').set({ actor_id: 'somebody' }).where('position', '=', 2).execute(),
    )
    expect(changed).toEqual({ position: 2, reason: 'changed' })
  })

  test('when an event was removed, also the last one', async () => {
    const { events } = await verifyAudit(server.store.read)
    const without = (position: number) =>
      edit(() => server.store.db.deleteFrom('audit_events').where('position', '=', position).execute())
    expect(await without(1)).toEqual({ position: 1, reason: 'missing' })
    expect(await without(events)).toEqual({ position: events, reason: 'missing' })
  })
})

test('old events are deleted when the policy says so; the chain stays whole, and a hidden deletion is noticed', async () => {
  const node = await startTestServer()
  await upsertSetting(node.store.db, 'policy', '{"audit_days":30}')
  const record = (id: string) =>
    node.deps.transaction((tx) =>
      recordAudit(tx, { command: 'a test' }, { type: 'group.created', subject: { kind: 'group', id } }),
    )
  const prune = () => node.deps.transaction((tx) => pruneEvents(tx, 500))
  const kept = async () =>
    (await node.store.db.selectFrom('audit_events').select('subject_id').orderBy('position').execute()).map(
      (row) => row.subject_id,
    )
  for (const id of ['one', 'two']) await record(id)
  node.clock.advance(20 * 86_400)
  await record('three')
  expect(await prune()).toBe(0)
  node.clock.advance(11.5 * 86_400)
  expect(await prune()).toBe(2)
  expect(await kept()).toEqual(['three', '2'])
  expect(await verifyAudit(node.store.read)).toEqual({ events: 2 })
  await record('four')
  expect((await verifyAudit(node.store.read)).broken).toBeUndefined()

  const { hash } = await node.store.db
    .selectFrom('audit_events')
    .select('hash')
    .where('position', '=', 3)
    .executeTakeFirstOrThrow()
  await node.store.db.deleteFrom('audit_events').where('position', '=', 3).execute()
  await node.store.db
    .updateTable('settings')
    .set({ value: `3 ${hash}` })
    .where('key', '=', 'audit_start')
    .execute()
  expect((await verifyAudit(node.store.read)).broken).toEqual({ position: 3, reason: 'missing' })
  await node.close()
})

test('a log whose old events are deleted while it is verified is whole', async () => {
  const node = await startTestServer()
  await upsertSetting(node.store.db, 'policy', '{"audit_days":30}')
  const record = (id: string) =>
    node.deps.transaction((tx) =>
      recordAudit(tx, { command: 'a test' }, { type: 'group.created', subject: { kind: 'group', id } }),
    )
  for (const id of ['one', 'two']) await record(id)
  node.clock.advance(20 * 86_400)
  await record('three')
  node.clock.advance(11.5 * 86_400)

  const { engine, run } = partsOfHandle(node.store.read)
  let queries = 0
  const deletedMeanwhile = makeHandle(engine, async <R>(query: CompiledQuery) => {
    queries += 1
    // Once the verification knows where the log begins and ends.
    if (queries === 3) expect(await node.deps.transaction((tx) => pruneEvents(tx, 500))).toBe(2)
    return await run<R>(query)
  })
  expect(await verifyAudit(deletedMeanwhile)).toEqual({ events: 2 })
  await node.close()
})
