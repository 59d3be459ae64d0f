import { account, activity, auth } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type House, openHouse } from '../../../test/house.ts'
import { elsewhere, newcomer } from '../../../test/newcomer.ts'
import { record } from './door.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const NEVER_ANYBODYS = '00000000-0000-7000-8000-000000000000'

function happened(user_id: string, type: activity.ActivityType, about: { client_id?: string; scopes?: string[] } = {}) {
  return house.deps.transaction((deps) => record(deps, { type, user_id, from: null, session_id: null, ...about }))
}

test('§3 tells what happened, newest first, with where it was done from', async () => {
  const ana = await newcomer(house, { ip: '10.7.7.7' })
  await elsewhere(house, ana, { ip: '10.7.7.8' })
  const answer = await ana.call(activity.listActivity)
  expect(answer).toMatchObject({
    ok: true,
    next_cursor: null,
    data: [
      { type: 'LOGGED_IN', ip: '10.7.7.8', os: 'Linux', browser: 'Firefox', location: null },
      { type: 'CREATED_ACCOUNT', ip: '10.7.7.7', created_at: house.clock.now().toISOString() },
    ],
  })
})

test('pages without gaps and without repeating', async () => {
  const ana = await newcomer(house)
  for (let i = 0; i < 7; i += 1) await happened(ana.user.id, 'CHANGED_EMAIL')
  const seen: string[] = []
  let cursor: string | null | undefined
  do {
    const page = await ana.call(activity.listActivity, { limit: 3, ...(cursor ? { cursor } : {}) })
    if (!page.ok) throw new Error(page.problem.code)
    seen.push(...page.data.map(({ id }) => id))
    cursor = page.next_cursor
  } while (cursor)
  expect(seen).toHaveLength(8)
  expect(seen).toEqual([...new Set(seen)].sort().reverse())
})

test('shows one kind when asked', async () => {
  const ana = await newcomer(house)
  await happened(ana.user.id, 'GRANTED_SCOPES_TO_APP', { scopes: ['openid', 'email'] })
  const answer = await ana.call(activity.listActivity, { type: 'GRANTED_SCOPES_TO_APP' })
  expect(answer).toMatchObject({ data: [{ type: 'GRANTED_SCOPES_TO_APP', scopes: ['openid', 'email'] }] })
})

test('a row about an app that is gone stays, without the app', async () => {
  const ana = await newcomer(house)
  await happened(ana.user.id, 'LOGGED_IN_TO_APP', { client_id: NEVER_ANYBODYS })
  const answer = await ana.call(activity.listActivity, { type: 'LOGGED_IN_TO_APP' })
  expect(answer).toMatchObject({ ok: true, data: [{ type: 'LOGGED_IN_TO_APP' }] })
  expect(answer.ok && answer.data[0]).not.toHaveProperty('app')
})

test('nobody sees what others did, not even with their cursor', async () => {
  const ana = await newcomer(house)
  const bor = await newcomer(house)
  const answer = await ana.call(activity.listActivity, { cursor: bor.user.id.replace(/^./, 'f') })
  expect(answer).toMatchObject({ data: [{ type: 'CREATED_ACCOUNT' }] })
  expect(answer.ok && answer.data).toHaveLength(1)
})

test('needs a session, a limit within bounds and a type that exists', async () => {
  const ana = await newcomer(house)
  expect(await house.visitor().call(activity.listActivity)).toMatchObject({ http: 401 })
  expect(await ana.call(activity.listActivity, { limit: 101 })).toMatchObject({
    problem: { fields: { limit: 'too_big' } },
  })
  expect(await ana.call(activity.listActivity, { type: 'NOTHING' as never })).toMatchObject({ http: 400 })
})

test('house §8 is written with what it tells about, or not at all', async () => {
  const ana = await newcomer(house)
  await ana.call(auth.logoutAll)
  const before = await ana.call(activity.listActivity)
  await ana.call(account.setPassword, { current_password: 'not the password', new_password: 'drugacna-gora-17' })
  const after = await ana.call(activity.listActivity)
  expect(after.ok && after.data).toEqual(before.ok && before.data)
})
