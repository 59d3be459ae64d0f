import { account, adminUsers } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from '../../test/databases/open-store.ts'
import { createOperator, type Operator } from '../../test/operator.ts'
import { people } from '../../test/people.ts'
import { good } from '../../test/second-factor.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'

let server: TestServer
let operator: Operator
beforeAll(async () => {
  server = await startTestServer()
  operator = await createOperator(server, people.ana, 'admin')
})
afterAll(() => server.close())

const CHANGED = 'vrata_changed'
const listed = async () => good(await operator.call(adminUsers.listAdminUsers, {}))

test('a list comes from the replica, but not for ten seconds after a change in this browser', async () => {
  operator.cookies.delete(CHANGED)
  expect(await listed()).toHaveLength(1)
  good(await operator.call(account.updateAccount, { first_name: 'Ana' }))
  expect([...operator.cookies.keys()]).not.toContain(CHANGED)

  // A replica that has received nothing yet.
  server.deps.replica = (await openStore()).store.read
  expect(await listed()).toHaveLength(0)
  good(await operator.call(account.updateAccount, { first_name: 'Ana' }))
  expect([...operator.cookies.keys()]).toContain(CHANGED)
  expect(await listed()).toHaveLength(1)
  operator.cookies.delete(CHANGED)
  expect(await listed()).toHaveLength(0)
  // Other calls read what is committed.
  expect(good(await operator.call(adminUsers.getAdminUser, { id: operator.user.id })).id).toBe(operator.user.id)
})

test('a form without script is such a change, too', async () => {
  operator.cookies.delete(CHANGED)
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    origin: 'null',
    'sec-fetch-site': 'same-origin',
  }
  const post = (payload: string) => operator.request({ method: 'POST', url: '/login', headers, payload })
  // A form that only leads to another step changes nothing.
  await post('to_forgot=')
  expect([...operator.cookies.keys()]).not.toContain(CHANGED)
  await post(`forgot=&email=${encodeURIComponent(operator.user.email)}`)
  expect([...operator.cookies.keys()]).toContain(CHANGED)
})
