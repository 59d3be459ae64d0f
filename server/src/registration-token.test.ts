import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type House, openHouse } from '../test/house.ts'
import { openOrganisation } from '../test/organisation.ts'
import { jadrolet, people } from '../test/people.ts'
import { giveRegistrationToken } from './registration-token.ts'

let house: House
let developer_id: string
beforeAll(async () => {
  house = await openHouse({ VRATA_CLIENT_REGISTRATION: 'on' })
  developer_id = (await openOrganisation(house, await house.as(people.ana))).developer_id
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => house.close())

/** The command beside the running server, with what it prints. */
async function command(...args: string[]) {
  const [said, told]: [string[], string[]] = [[], []]
  vi.spyOn(console, 'log').mockImplementation((line) => void said.push(line))
  vi.spyOn(console, 'error').mockImplementation((line) => void told.push(line))
  await giveRegistrationToken(house.config, args)
  return { token: said.join(), told: told.join() }
}

test('the command prints a token, and nothing else where a script reads, which registers as many apps as it says', async () => {
  const { token, told } = await command(developer_id, people.ana.email, '--uses', '2')
  expect(token).toMatch(/^vrti_[\w-]{43}$/)
  expect(told).toBe('Good for 2 apps and 1 day.')
  const headers = { authorization: `Bearer ${token}` }
  const payload = { redirect_uris: [jadrolet.redirect_uri] }
  const register = () => house.app.inject({ method: 'POST', url: '/register-client', headers, payload })
  const statuses = [await register(), await register(), await register()].map(({ statusCode }) => statusCode)
  expect(statuses).toEqual([201, 201, 401])
})

test('the command says what it misses, and whom it does not know', async () => {
  await expect(command(developer_id)).rejects.toThrow('the email of a member')
  await expect(command(developer_id, people.ana.email, '--uses', '0')).rejects.toThrow('Tell the id')
  await expect(command(developer_id, people.bor.email)).rejects.toThrow('nobody who may register apps')
})
