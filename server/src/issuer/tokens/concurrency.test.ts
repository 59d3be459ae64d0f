import { setTimeout } from 'node:timers/promises'
import { clients, connections, sessions, users } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, refresh, signInTo, type ThirdParty, userinfo } from '../../../test/third-party.ts'

const MANY = 16

let server: TestServer
let ana: SignedIn
let app: ThirdParty
let organization: Organization
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
  app = await organization.app()
  await allow(ana, app)
})
afterAll(() => server.close())

/** A race is a matter of chance, so it is repeated. */
const ROUNDS = 8

/** Events that end the tokens of a user who is signed in to a client of Ana's. */
const ENDINGS: [string, (person: SignedIn, app: ThirdParty) => Promise<{ ok: boolean }>][] = [
  ['signs out', (person) => person.call(sessions.logout, {})],
  ['signs out everywhere', (person) => person.call(sessions.logoutAll, { include_current: true })],
  ['unlinks the client', (person, { client_id }) => person.call(connections.removeConnection, { client: client_id })],
  ['sees it disabled', (_, { client_id: id }) => ana.call(clients.updateClientInfo, { id, enabled: false })],
  ['sees it deleted', (_, { client_id: id }) => ana.call(clients.deleteClient, { id })],
  ['is blocked', (person) => ana.call(users.setUserBlocked, { id: person.user.id, blocked: true })],
]

describe('while a client refreshes its tokens', () => {
  test.each(ENDINGS)('a user who %s causes no deadlock', async (_, end) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const person = await server.as(people.cvetka)
      const fresh = await organization.app()
      await allow(person, fresh)
      const tokens: string[] = []
      for (let i = 0; i < MANY / 2; i += 1) tokens.push((await signInTo(server, person, fresh)).refresh_token)
      const [ended, ...answers] = await Promise.all([
        end(person, fresh),
        // Started one after the other, so that some overlap with it.
        ...tokens.map(async (token, i) => {
          await setTimeout(2 * i)
          return await refresh(server, fresh, token)
        }),
      ])
      expect(ended).toMatchObject({ ok: true })
      expect(server.deadlocks()).toEqual([])
      for (const answer of answers) {
        const rejected = { error: expect.stringMatching(/^invalid_(grant|client)$/) }
        expect(answer.json()).toMatchObject(answer.statusCode === 200 ? {} : rejected)
        if (answer.statusCode !== 200) continue
        // Tokens that were issued just before have ended, too.
        expect((await refresh(server, fresh, answer.json().refresh_token)).json()).toMatchObject(rejected)
      }
      // A blocked user is unblocked for the next round; an app that is enabled again has none of the tokens.
      await ana.call(users.setUserBlocked, { id: person.user.id, blocked: false })
      await ana.call(clients.updateClientInfo, { id: fresh.client_id, enabled: true })
      for (const answer of answers) {
        if (answer.statusCode !== 200) continue
        expect((await userinfo(server, answer.json().access_token)).statusCode).toBe(401)
      }
    }
  })
})

test('parallel refreshes of one user and client cause no deadlock when each records the last use', async () => {
  let tokens: string[] = []
  for (let i = 0; i < MANY; i += 1) tokens.push((await signInTo(server, ana, app)).refresh_token)
  for (let round = 0; round < ROUNDS; round += 1) {
    // Each of them updates the last use now.
    server.clock.advance(120)
    const answers = await Promise.all(tokens.map((token) => refresh(server, app, token)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(tokens.map(() => 200))
    expect(server.deadlocks()).toEqual([])
    tokens = answers.map((answer) => answer.json().refresh_token)
  }
})
