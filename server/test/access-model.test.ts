import { security } from '@vrata/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commands, emptyModel, type Model, passwordOf, type Real } from './access-model.ts'
import { createOrganization, type Organization } from './organization.ts'
import { people } from './people.ts'
import { registerConfirmedUser } from './registered-user.ts'
import { good } from './second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from './test-server.ts'
import type { ThirdParty } from './third-party.ts'

/** `PROPERTY_RUNS=500 npm run test:fast -- server/test/access-model` tries more; each of them is a person of their own. */
const RUNS = Number(process.env.PROPERTY_RUNS ?? 6)
const COMMANDS = 16

/**
 * Sequences that have found a fault once; they are tried first. The one that is there found a planted fault: signing out elsewhere
 * that left refresh tokens.
 */
const SEEDS = [{ seed: 1663353158, path: '20' }]

let server: TestServer
let owner: SignedIn
let organization: Organization
let apps: ThirdParty[]
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.as(people.ana)
  organization = await createOrganization(server, owner)
  apps = [await organization.app({ name: 'Notes' }), await organization.app({ name: 'Maps' })]
})
afterAll(() => server.close())

async function newPerson(): Promise<{ model: Model; real: Real }> {
  const model = emptyModel(apps.length)
  const person = await registerConfirmedUser(server)
  const new_password = passwordOf(model)
  good(await person.call(security.changePassword, { current_password: person.password, new_password }))
  const families: Real['families'] = []
  return { model, real: { server, owner, organization, apps, person, member_id: '', devices: [person], families } }
}

async function holds(runs: { numRuns: number; seed?: number; path?: string }): Promise<void> {
  await fc.assert(
    fc.asyncProperty(commands(COMMANDS), async (sequence) => {
      await fc.asyncModelRun(newPerson, sequence)
    }),
    { ...runs, interruptAfterTimeLimit: 540_000 },
  )
}

test('sessions, tokens, consents and levels are what the model says after any sequence of changes', async () => {
  for (const seed of SEEDS) await holds({ ...seed, numRuns: 1 })
  await holds({ numRuns: RUNS })
  expect(server.deadlocks()).toEqual([])
}, 600_000)
