import { activity, security, sessions } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allPages } from '../../../../testing/all-pages.ts'
import { registerUser, signInAgain } from '../../../test/registered-user.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { timeAfter } from '../../db/values.ts'
import { recordActivity } from './public.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const NEVER_ANYBODYS = '00000000-0000-7000-8000-000000000000'

function happened(user_id: string, type: activity.ActivityType, about: { client_id?: string; scopes?: string[] } = {}) {
  return server.deps.transaction((deps) =>
    recordActivity(deps, { type, user_id, from: null, session_id: null, ...about }),
  )
}

test('lists activity with its device, newest first (api §3.6)', async () => {
  const ana = await registerUser(server, { ip: '10.7.7.7' })
  server.clock.advance(90)
  await signInAgain(server, ana, { ip: '10.7.7.8' })
  const answer = await ana.call(activity.listActivity)
  expect(answer).toMatchObject({
    ok: true,
    next_cursor: null,
    data: [
      { type: 'LOGGED_IN', ip: '10.7.7.8', age: 0, os: 'Linux', browser: 'Firefox', location: null },
      { type: 'CREATED_ACCOUNT', ip: '10.7.7.7', age: 90, created_at: timeAfter(server.clock.now(), -90) },
    ],
  })
})

test('pages without gaps or duplicates', async () => {
  const ana = await registerUser(server)
  for (let i = 0; i < 7; i += 1) await happened(ana.user.id, 'CHANGED_EMAIL')
  const pages = await allPages((from) => ana.call(activity.listActivity, { limit: 3, ...from }))
  const seen = pages.flat().map(({ id }) => id)
  expect(seen).toHaveLength(8)
  expect(seen).toEqual([...new Set(seen)].sort().reverse())
})

test('filters by type', async () => {
  const ana = await registerUser(server)
  await happened(ana.user.id, 'GRANTED_SCOPES_TO_APP', { scopes: ['openid', 'email'] })
  const answer = await ana.call(activity.listActivity, { type: 'GRANTED_SCOPES_TO_APP' })
  expect(answer).toMatchObject({ data: [{ type: 'GRANTED_SCOPES_TO_APP', scopes: ['openid', 'email'] }] })
})

test('keeps a row of a deleted app, without the app', async () => {
  const ana = await registerUser(server)
  await happened(ana.user.id, 'LOGGED_IN_TO_APP', { client_id: NEVER_ANYBODYS })
  const answer = await ana.call(activity.listActivity, { type: 'LOGGED_IN_TO_APP' })
  expect(answer).toMatchObject({ ok: true, data: [{ type: 'LOGGED_IN_TO_APP' }] })
  expect(answer.ok && answer.data[0]).not.toHaveProperty('app')
})

test('shows no activity of other users, even with their cursor', async () => {
  const ana = await registerUser(server)
  const bor = await registerUser(server)
  const answer = await ana.call(activity.listActivity, { cursor: bor.user.id.replace(/^./, 'f') })
  expect(answer).toMatchObject({ data: [{ type: 'CREATED_ACCOUNT' }] })
  expect(answer.ok && answer.data).toHaveLength(1)
})

test('requires a session, a valid limit and a known type', async () => {
  const ana = await registerUser(server)
  expect(await server.browser().call(activity.listActivity)).toMatchObject({ http: 401 })
  expect(await ana.call(activity.listActivity, { limit: 101 })).toMatchObject({
    problem: { fields: { limit: 'too_big' } },
  })
  expect(await ana.call(activity.listActivity, { type: 'NOTHING' as never })).toMatchObject({ http: 400 })
})

test('is recorded in the transaction of the change (architecture §6.2)', async () => {
  const ana = await registerUser(server)
  await ana.call(sessions.logoutAll)
  const before = await ana.call(activity.listActivity)
  await ana.call(security.changePassword, { current_password: 'not the password', new_password: 'drugacna-gora-17' })
  const after = await ana.call(activity.listActivity)
  expect(after.ok && after.data).toEqual(before.ok && before.data)
})
