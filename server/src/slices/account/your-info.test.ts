import { account } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type House, openHouse } from '../../../test/house.ts'
import { newcomer } from '../../../test/newcomer.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house?.close())

test.each([
  ['as written abroad', { phone_number: '+386 41 123 456' }, '+38641123456'],
  ['as written at home', { country_code: 'SI', phone_number: '041 123 456' }, '+38641123456'],
  ['of another home', { country_code: 'HR', phone_number: '091/123-4567' }, '+385911234567'],
  ['taken away', { phone_number: null }, null],
])('§3 a telephone number %s is kept in one form', async (_, sent, kept) => {
  const ana = await newcomer(house)
  expect(await ana.call(account.updateAccount, sent)).toMatchObject({ ok: true, data: { phone_number: kept } })
})

test.each(['041 123 456', '+386 1', 'call me', '+999 123 456 789', '+38641123456;ext=9'])(
  '§3 %s is no number, and nothing changes',
  async (phone_number) => {
    const ana = await newcomer(house)
    expect(await ana.call(account.updateAccount, { phone_number, first_name: 'Ana' })).toMatchObject({
      http: 400,
      problem: { fields: { phone_number: 'invalid' } },
    })
    expect(await ana.call(account.getAccount)).toMatchObject({ data: { phone_number: null, first_name: '' } })
  },
)

test('§3 a user name is free, taken without regard to case, or one’s own', async () => {
  const ana = await newcomer(house)
  const bor = await newcomer(house)
  await ana.call(account.updateAccount, { username: 'Ana.Kovac' })
  expect(await bor.call(account.checkUsername, { username: 'ANA.kovac' })).toMatchObject({ data: { available: false } })
  expect(await ana.call(account.checkUsername, { username: 'ana.kovac' })).toMatchObject({ data: { available: true } })
  expect(await bor.call(account.checkUsername, { username: 'nobody-yet' })).toMatchObject({ data: { available: true } })
  expect(await bor.call(account.checkUsername, { username: 'a b' })).toMatchObject({
    problem: { fields: { username: 'invalid' } },
  })
  expect(await house.visitor().call(account.checkUsername, { username: 'ana.kovac' })).toMatchObject({ http: 401 })
})

test('§3 nobody lists user names by asking', async () => {
  const ana = await newcomer(house)
  let last = await ana.call(account.checkUsername, { username: 'first' })
  for (let asked = 0; asked < 70; asked += 1) last = await ana.call(account.checkUsername, { username: `name${asked}` })
  expect(last).toMatchObject({ http: 429 })
})
