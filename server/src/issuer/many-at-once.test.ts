import { afterAll, beforeAll, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../test/house.ts'
import { openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'
import { allow, refresh, signInTo, type ThirdParty } from '../../test/third-party.ts'

const MANY = 16

let house: House
let ana: SignedIn
let app: ThirdParty
beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  app = await (await openOrganisation(house, ana)).app()
  await allow(ana, app)
})
afterAll(() => house.close())

/** Whether two meet at the wrong moment is chance, so they are asked to often. */
const ROUNDS = 12

test('many renewals of one person and app at once, after a while without any, do not wait for each other', async () => {
  let tokens: string[] = []
  for (let i = 0; i < MANY; i += 1) tokens.push((await signInTo(house, ana, app)).refresh_token)
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each of them now notes that the app is used again.
    house.clock.advance(120)
    const began = performance.now()
    const answers = await Promise.all(tokens.map((token) => refresh(house, app, token)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(tokens.map(() => 200))
    // PostgreSQL looks for deadlocks after one second.
    expect(performance.now() - began).toBeLessThan(1000)
    tokens = answers.map((answer) => answer.json().refresh_token)
  }
})
