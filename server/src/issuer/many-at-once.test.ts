import { setTimeout } from 'node:timers/promises'
import { auth, clients, connections, users } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../test/house.ts'
import { type Organisation, openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'
import { allow, refresh, signInTo, type ThirdParty } from '../../test/third-party.ts'

const MANY = 16

let house: House
let ana: SignedIn
let app: ThirdParty
let organisation: Organisation
beforeAll(async () => {
  house = await openHouse()
  ana = await house.as(people.ana)
  organisation = await openOrganisation(house, ana)
  app = await organisation.app()
  await allow(ana, app)
})
afterAll(() => house.close())

/** Whether they meet at the wrong moment is chance, so they are asked to often. */
const ROUNDS = 8

/** What ends tokens, told of a person who is signed in to an app of Ana's. */
const ENDINGS: [string, (person: SignedIn, app: ThirdParty) => Promise<{ ok: boolean }>][] = [
  ['signs out', (person) => person.call(auth.logout, {})],
  ['signs out everywhere', (person) => person.call(auth.logoutAll, { include_current: true })],
  ['unlinks the app', (person, { client_id }) => person.call(connections.removeConnection, { client: client_id })],
  ['sees it disabled', (_, { client_id: id }) => ana.call(clients.updateClientInfo, { id, enabled: false })],
  ['sees it deleted', (_, { client_id: id }) => ana.call(clients.deleteClient, { id })],
  ['is blocked', (person) => ana.call(users.setUserBlocked, { id: person.user.id, blocked: true })],
]

describe('while an app renews what it holds', () => {
  test.each(ENDINGS)('somebody who %s does not wait for it in a ring', async (_, end) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const person = await house.as(people.cvetka)
      const fresh = await organisation.app()
      await allow(person, fresh)
      const tokens: string[] = []
      for (let i = 0; i < MANY / 2; i += 1) tokens.push((await signInTo(house, person, fresh)).refresh_token)
      const began = performance.now()
      const [ended, ...answers] = await Promise.all([
        end(person, fresh),
        // One after the other, so that some of them come in the midst of it.
        ...tokens.map(async (token, i) => {
          await setTimeout(2 * i)
          return await refresh(house, fresh, token)
        }),
      ])
      expect(ended).toMatchObject({ ok: true })
      expect(performance.now() - began).toBeLessThan(1000)
      for (const answer of answers) {
        const refused = { error: expect.stringMatching(/^invalid_(grant|client)$/) }
        expect(answer.json()).toMatchObject(answer.statusCode === 200 ? {} : refused)
        if (answer.statusCode !== 200) continue
        // What was given a moment before has ended, too.
        expect((await refresh(house, fresh, answer.json().refresh_token)).json()).toMatchObject(refused)
      }
      // Whoever was blocked comes again in the next round.
      await ana.call(users.setUserBlocked, { id: person.user.id, blocked: false })
    }
  })
})

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
