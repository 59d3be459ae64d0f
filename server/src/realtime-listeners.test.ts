import { account, adminClients, adminOrganizations, developers, security, sessions } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testEngine } from '../test/databases/template-db.ts'
import { createOperator } from '../test/operator.ts'
import { createOrganization } from '../test/organization.ts'
import { people } from '../test/people.ts'
import { registerConfirmedUser, signInAgain } from '../test/registered-user.ts'
import { good } from '../test/second-factor.ts'
import { connectSocket } from '../test/sockets.ts'
import { startTestServer, type TestServer } from '../test/test-server.ts'
import { allow, signInTo } from '../test/third-party.ts'
import { payloads } from './adapters/realtime/realtime.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

describe('realtime events of open pages (product §7)', () => {
  test('a sign-in in another browser changes sessions and activity', async () => {
    const ana = await registerConfirmedUser(server)
    const listener = await connectSocket(server, ana)
    await signInAgain(server, ana)
    await listener.receives('sessions:changed', 'activity:created')
  })

  test('a changed account, with or without an activity', async () => {
    const ana = await registerConfirmedUser(server)
    const listener = await connectSocket(server, ana)
    await ana.call(account.removeProfilePicture)
    await listener.receives('account:updated')
    listener.received.length = 0
    await ana.call(security.enableOtp)
    await ana.call(security.changePassword, { current_password: ana.password, new_password: 'nova-kljucavnica-9-zim' })
    await listener.receives('activity:created', 'account:updated')
  })

  test('no event of a transaction that was rolled back', async () => {
    const ana = await registerConfirmedUser(server)
    const listener = await connectSocket(server, ana)
    await server.deps
      .transaction(async (deps) => {
        await deps.emit('account_changed', { user_id: ana.user.id })
        throw new Error('not today')
      })
      .catch(() => {})
    await ana.call(account.removeProfilePicture)
    await listener.receives('account:updated')
    expect(listener.received).toEqual(['account:updated'])
  })

  test('events of a developer account reach its members only', async () => {
    const ana = await server.as(people.ana)
    const anas = await connectSocket(server, ana)
    const stranger = await connectSocket(server, await server.as(people.drago))
    const { developer_id, join } = await createOrganization(server, ana)
    await anas.receives(`developer:changed ${developer_id}`)

    const bor = await server.as(people.bor)
    await join(bor, 'analyst')
    const bors = await connectSocket(server, bor)
    await ana.call(developers.updateDeveloper, { name: 'Kraški studio 2' })
    await bors.receives(`developer:changed ${developer_id}`)
    expect(stranger.received).toEqual([])
  })

  test('members see at once what an operator changes in their organization and its apps', async () => {
    const operator = await createOperator(server, people.cvetka, 'admin')
    const owner = await registerConfirmedUser(server)
    const { developer_id, app } = await createOrganization(server, owner)
    const made = await app()
    const { client_id: id } = made
    const owners = await connectSocket(server, owner)
    const access = { mode: 'people' as const, groups: [], people: [owner.email] }
    good(await operator.call(adminClients.updateAdminClient, { id, access }))
    await owners.receives(`client:changed ${developer_id},${id}`)
    owners.received.length = 0
    good(await operator.call(adminClients.updateAdminClient, { id, trusted: true }))
    await owners.receives(`client:changed ${developer_id},${id}`)
    // Several at once, while the owner has tokens of the app.
    await allow(owner, made)
    await signInTo(server, owner, made)
    const closed = { mode: 'people' as const, groups: [], people: [people.cvetka.email] }
    const change = { id, access: closed, enabled: false, approved: false }
    expect(await operator.call(adminClients.updateAdminClient, change)).toMatchObject({ data: { enabled: false } })
    good(await operator.call(adminOrganizations.updateAdminOrganization, { id: developer_id, verified: true }))
    await owners.receives(`developer:changed ${developer_id}`)
  })

  test('a removed member reads their own state again, and receives no later events', async () => {
    const ana = await server.as(people.ana)
    const bor = await server.as(people.bor)
    const { developer_id, join } = await createOrganization(server, ana, 'Burja')
    await join(bor, 'member')
    const [anas, bors] = [await connectSocket(server, ana), await connectSocket(server, bor)]
    const from = { ip: '127.0.0.1', request_id: 'a test' }
    const event = { developer_id, user_id: ana.user.id, from, params: {} }
    await server.deps.transaction(async (deps) => {
      await deps.db
        .deleteFrom('members')
        .where('user_id', '=', bor.user.id)
        .where('developer_id', '=', developer_id)
        .execute()
      await deps.emit('developer_activity_recorded', { ...event, type: 'REMOVED_MEMBER' })
      await deps.revoke('member_removed', { developer_id, user_id: bor.user.id })
    })
    await anas.receives(`members:changed ${developer_id}`)
    await bors.receives(`developer:changed ${developer_id}`)
    expect(bors.received).not.toContain(`members:changed ${developer_id}`)
    bors.received.length = 0
    await server.deps.transaction((deps) =>
      deps.emit('developer_activity_recorded', { ...event, type: 'CREATED_APP', client_id: 'c' }),
    )
    await anas.receives(`client:changed ${developer_id},c`)
    expect(bors.received).toEqual([])
  })

  test.skipIf(testEngine === 'sqlite')('on a socket of another server, too', async () => {
    const there = await startTestServer({ VRATA_DATABASE_URL: server.config.database_url ?? '' })
    try {
      const ana = await registerConfirmedUser(server)
      const phone = await signInAgain(server, ana)
      const [listener, phones] = [await connectSocket(there, ana), await connectSocket(there, phone)]
      await ana.call(account.removeProfilePicture)
      await listener.receives('account:updated')
      await ana.call(sessions.logoutAll)
      await phones.gone()
      expect(phones.received).toContain('session:ended')
    } finally {
      await there.close()
    }
  })
})

test('messages too long for one notification are split in order', () => {
  const ids = Array.from({ length: 250 }, (_, i) => `00000000-0000-7000-8000-${String(i).padStart(12, '0')}`)
  const texts = payloads([{ end: ids }, { to: 'user:a', event: 'sessions:changed' }])
  expect(texts.every((text) => text.length < 7000)).toBe(true)
  const news = texts.flatMap((text) => JSON.parse(text))
  expect(news.flatMap((one) => one.end ?? [])).toEqual(ids)
  expect(news.at(-1)).toEqual({ to: 'user:a', event: 'sessions:changed' })
})
