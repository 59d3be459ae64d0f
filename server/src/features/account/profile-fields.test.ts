import { account } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerUser } from '../../../test/registered-user.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

test.each([
  ['as written abroad', { phone_number: '+386 41 123 456' }, '+38641123456'],
  ['as written at home', { country_code: 'SI', phone_number: '041 123 456' }, '+38641123456'],
  ['of another home', { country_code: 'HR', phone_number: '091/123-4567' }, '+385911234567'],
  ['taken away', { phone_number: null }, null],
])('stores a telephone number %s as E.164', async (_, sent, kept) => {
  const ana = await registerUser(server)
  expect(await ana.call(account.updateAccount, sent)).toMatchObject({ ok: true, data: { phone_number: kept } })
})

test.each(['041 123 456', '+386 1', 'call me', '+999 123 456 789', '+38641123456;ext=9'])(
  'rejects the telephone number %s without a change',
  async (phone_number) => {
    const ana = await registerUser(server)
    expect(await ana.call(account.updateAccount, { phone_number, first_name: 'Ana' })).toMatchObject({
      http: 400,
      problem: { fields: { phone_number: 'invalid' } },
    })
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { phone_number: null, first_name: '' } })
  },
)

test('checks user names regardless of case; the own name is available', async () => {
  const ana = await registerUser(server)
  const bor = await registerUser(server)
  await ana.call(account.updateAccount, { username: 'Ana.Kovac' })
  expect(await bor.call(account.checkUsername, { username: 'ANA.kovac' })).toMatchObject({ data: { available: false } })
  expect(await ana.call(account.checkUsername, { username: 'ana.kovac' })).toMatchObject({ data: { available: true } })
  expect(await bor.call(account.checkUsername, { username: 'nobody-yet' })).toMatchObject({ data: { available: true } })
  expect(await bor.call(account.checkUsername, { username: 'a b' })).toMatchObject({
    problem: { fields: { username: 'invalid' } },
  })
  expect(await server.browser().call(account.checkUsername, { username: 'ana.kovac' })).toMatchObject({ http: 401 })
})

test('limits the rate of user name checks', async () => {
  const ana = await registerUser(server)
  let last = await ana.call(account.checkUsername, { username: 'first' })
  // A minute may end meanwhile, which restarts the count.
  for (let asked = 0; last.ok && asked < 150; asked += 1)
    last = await ana.call(account.checkUsername, { username: `name${asked}` })
  expect(last).toMatchObject({ http: 429 })
})
