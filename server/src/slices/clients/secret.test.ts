import { clients } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type House, openHouse, type SignedIn } from '../../../test/house.ts'
import { type Organisation, openOrganisation, switchTo } from '../../../test/organisation.ts'
import { people } from '../../../test/people.ts'
import { clientForIssuer, verifyClientSecret } from './door.ts'

let house: House
let ana: SignedIn
let organisation: Organisation
beforeAll(async () => {
  house = await openHouse()
})
beforeEach(async () => {
  // Signed in anew: tests here let a day go by.
  ana = await house.as(people.ana)
  organisation = await openOrganisation(house, ana)
})
afterAll(() => house?.close())

/** Does the engine take this secret, now? */
async function opens(client_id: string, secret: string | null): Promise<boolean> {
  const client = await clientForIssuer(house.store.read, client_id)
  if (!client || secret === null) throw new Error('no such app, or no secret to try')
  return verifyClientSecret(client, secret, house.clock.now()) !== undefined
}

async function regenerated(id: string, grace?: boolean): Promise<string> {
  const answer = await ana.call(clients.regenerateSecret, { id, ...(grace === undefined ? {} : { grace }) })
  if (!answer.ok) throw new Error(answer.problem.code)
  expect(answer.data.secret_hint).toBe(answer.data.client_secret.slice(-4))
  return answer.data.client_secret
}

describe('§6 the client secret', () => {
  test('opens as it was shown, and in no other way', async () => {
    const { client_id, client_secret } = await organisation.app()
    expect(await opens(client_id, client_secret)).toBe(true)
    const row = await clientForIssuer(house.store.read, client_id)
    for (const wrong of [
      '',
      ' ',
      `${client_secret} `,
      client_secret?.slice(0, -1),
      client_secret?.toUpperCase(),
      row?.secret_hash,
    ]) {
      expect(await opens(client_id, wrong ?? null), wrong ?? '').toBe(false)
    }
  })

  test('of an app without one is nothing', async () => {
    const { client_id, client_secret } = await organisation.app({ type: 'spa' })
    expect(client_secret).toBeNull()
    expect(await opens(client_id, '')).toBe(false)
    expect(await opens(client_id, 'null')).toBe(false)
  })

  test('ends at once when a new one is made', async () => {
    const { client_id, client_secret } = await organisation.app()
    const next = await regenerated(client_id)
    expect([await opens(client_id, client_secret), await opens(client_id, next)]).toEqual([false, true])
  })

  test('with a grace still opens for 24 hours, and not a moment longer', async () => {
    const { client_id, client_secret } = await organisation.app()
    const next = await regenerated(client_id, true)
    expect(await opens(client_id, client_secret)).toBe(true)
    house.clock.advance(24 * 60 * 60 - 1)
    expect([await opens(client_id, client_secret), await opens(client_id, next)]).toEqual([true, true])
    house.clock.advance(1)
    expect([await opens(client_id, client_secret), await opens(client_id, next)]).toEqual([false, true])
  })

  test('a third one without a grace ends both before it', async () => {
    const { client_id, client_secret } = await organisation.app()
    const second = await regenerated(client_id, true)
    const third = await regenerated(client_id, false)
    const secrets = [client_secret, second, third]
    expect(await Promise.all(secrets.map((secret) => opens(client_id, secret)))).toEqual([false, false, true])
  })

  test('is never told again', async () => {
    const { client_id: id } = await organisation.app()
    const secret = await regenerated(id, true)
    const answers = [
      await ana.call(clients.getClient, { id }),
      await ana.call(clients.listClients),
      await ana.call(clients.getAdvanced, { id }),
      await ana.call(clients.updateClientInfo, { id, name: 'X' }),
    ]
    expect(JSON.stringify(answers)).not.toContain(secret.slice(5, 20))
    expect(JSON.stringify(answers)).not.toContain('previous_secret_hash')
  })

  test('needs a fresh sign-in to be made anew', async () => {
    const { client_id: id, client_secret } = await organisation.app()
    house.clock.advance(601)
    await switchTo(ana, organisation.developer_id)
    expect(await ana.call(clients.regenerateSecret, { id })).toMatchObject({
      http: 403,
      problem: { code: 'reauthentication_required' },
    })
    expect(await opens(id, client_secret)).toBe(true)
  })
})
