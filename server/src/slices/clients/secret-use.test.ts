import { clients } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../../test/house.ts'
import { openOrganisation } from '../../../test/organisation.ts'
import { people } from '../../../test/people.ts'
import { post, type ThirdParty } from '../../../test/third-party.ts'

let house: House
let ana: SignedIn
beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
})
afterAll(() => house?.close())

async function lastUsed(id: string): Promise<string | null> {
  const answer = await ana.call(clients.getClient, { id })
  if (!answer.ok) throw new Error(answer.problem.code)
  return answer.data.secret_last_used_at
}

/** The app proves itself; what it asks for does not matter. */
const prove = {
  '/introspect': (app: ThirdParty) => post(house, app, '/introspect', { token: 'any' }),
  '/token': (app: ThirdParty) => post(house, app, '/token', { grant_type: 'refresh_token', refresh_token: 'any' }),
}

test.each(['/introspect', '/token'] as const)(
  '§6 the last use of a secret at %s is known within a minute',
  async (url) => {
    const app = await (await openOrganisation(house, ana)).app()
    expect(await lastUsed(app.client_id)).toBeNull()
    await prove[url]({ ...app, client_secret: 'wrong' })
    expect(await lastUsed(app.client_id)).toBeNull()
    const first = house.clock.now().toISOString()
    await prove[url](app)
    expect(await lastUsed(app.client_id)).toBe(first)
    house.clock.advance(59)
    await prove[url](app)
    expect(await lastUsed(app.client_id)).toBe(first)
    house.clock.advance(1)
    await prove[url](app)
    expect(await lastUsed(app.client_id)).toBe(house.clock.now().toISOString())
  },
)

test('a new secret has not been used, though the old one still is', async () => {
  const app = await (await openOrganisation(house, ana)).app()
  await prove['/introspect'](app)
  const made = await ana.call(clients.regenerateSecret, { id: app.client_id, grace: true })
  if (!made.ok) throw new Error(made.problem.code)
  expect((await prove['/introspect'](app)).statusCode).toBe(200)
  expect(await lastUsed(app.client_id)).toBeNull()
  await prove['/introspect']({ ...app, client_secret: made.data.client_secret })
  expect(await lastUsed(app.client_id)).not.toBeNull()
})
