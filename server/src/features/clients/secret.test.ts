import { clients, sessions } from '@vrata/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dataOf } from '../../../../testing/api-client.ts'
import { whileUncommitted } from '../../../test/databases/while-uncommitted.ts'
import { createOrganization, type Organization, switchTo } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { post } from '../../../test/third-party.ts'
import { timeAfter } from '../../db/values.ts'
import { replaceAdminSecret } from '../admin-clients/public.ts'
import { findClientByIdForUpdate, findIssuerClient, replaceSecret, verifyClientSecret } from './public.ts'

let server: TestServer
let ana: SignedIn
let organization: Organization
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  // A new sign-in per test, because tests advance the clock by a day.
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
})
afterAll(() => server?.close())

/** Returns whether the issuer accepts the secret now. */
async function isAccepted(client_id: string, secret: string | null): Promise<boolean> {
  const client = await findIssuerClient(server.store.read, client_id)
  if (!client || secret === null) throw new Error('no such app, or no secret to try')
  return verifyClientSecret(client, secret, server.clock.now()) !== undefined
}

async function regenerated(id: string, grace?: boolean): Promise<string> {
  const answer = await ana.call(clients.regenerateSecret, { id, ...(grace === undefined ? {} : { grace }) })
  if (!answer.ok) throw new Error(answer.problem.code)
  expect(answer.data.secret_hint).toBe(answer.data.client_secret.slice(-4))
  return answer.data.client_secret
}

describe('the client secret', () => {
  test('is accepted only exactly as shown', async () => {
    const { client_id, client_secret } = await organization.app()
    expect(await isAccepted(client_id, client_secret)).toBe(true)
    const row = await findIssuerClient(server.store.read, client_id)
    for (const wrong of [
      '',
      ' ',
      `${client_secret} `,
      client_secret?.slice(0, -1),
      client_secret?.toUpperCase(),
      row?.secret_hash,
    ]) {
      expect(await isAccepted(client_id, wrong ?? null), wrong ?? '').toBe(false)
    }
  })

  test('that was replaced at once does not return when a command replaces it with a grace period meanwhile', async () => {
    const { client_id, client_secret } = await organization.app()
    await whileUncommitted(
      server,
      async (deps) => {
        const client = await findClientByIdForUpdate(deps.db, client_id)
        if (client) await replaceSecret(deps, client, false)
      },
      () =>
        server.deps.transaction((deps) =>
          replaceAdminSecret(deps, { command: 'vrata client secret' }, { id: client_id, grace: true }),
        ),
    )
    expect(await isAccepted(client_id, client_secret)).toBe(false)
  })

  test('is never accepted for a client without a secret', async () => {
    const { client_id, client_secret } = await organization.app({ type: 'spa' })
    expect(client_secret).toBeNull()
    expect(await isAccepted(client_id, '')).toBe(false)
    expect(await isAccepted(client_id, 'null')).toBe(false)
  })

  test('is invalid at once after its replacement', async () => {
    const { client_id, client_secret } = await organization.app()
    const next = await regenerated(client_id)
    expect([await isAccepted(client_id, client_secret), await isAccepted(client_id, next)]).toEqual([false, true])
  })

  test('stays valid for exactly 24 hours with grace', async () => {
    const { client_id, client_secret } = await organization.app()
    const next = await regenerated(client_id, true)
    expect(await isAccepted(client_id, client_secret)).toBe(true)
    server.clock.advance(24 * 60 * 60 - 1)
    expect([await isAccepted(client_id, client_secret), await isAccepted(client_id, next)]).toEqual([true, true])
    const until = async () => {
      dataOf(await ana.call(sessions.refresh, {}))
      return dataOf(await ana.call(clients.getClientInfo, { id: client_id })).previous_secret_until
    }
    expect(await until()).toBe(timeAfter(server.clock.now(), 1))
    server.clock.advance(1)
    expect([await isAccepted(client_id, client_secret), await isAccepted(client_id, next)]).toEqual([false, true])
    // Pages do not compare it with the clock of the browser, which may be wrong.
    expect(await until()).toBeNull()
  })

  test('stays valid with grace when it is replaced again before the new one was used', async () => {
    const app = await organization.app()
    const { client_id, client_secret } = app
    const second = await regenerated(client_id, true)
    server.clock.advance(60)
    const third = await regenerated(client_id, true)
    const accepted = () => Promise.all([client_secret, second, third].map((secret) => isAccepted(client_id, secret)))
    expect(await accepted()).toEqual([true, false, true])
    server.clock.advance(24 * 60 * 60 - 1)
    expect(await accepted()).toEqual([true, false, true])
    server.clock.advance(1)
    expect(await accepted()).toEqual([false, false, true])
  })

  test('ends with grace when it is replaced again after the new one was used', async () => {
    const app = await organization.app()
    const { client_id, client_secret } = app
    const second = await regenerated(client_id, true)
    await post(server, { ...app, client_secret: second }, '/introspect', { token: 'any' })
    const third = await regenerated(client_id, true)
    const secrets = [client_secret, second, third]
    expect(await Promise.all(secrets.map((secret) => isAccepted(client_id, secret)))).toEqual([false, true, true])
  })

  test('is invalid after a second replacement without grace', async () => {
    const { client_id, client_secret } = await organization.app()
    const second = await regenerated(client_id, true)
    const third = await regenerated(client_id, false)
    const secrets = [client_secret, second, third]
    expect(await Promise.all(secrets.map((secret) => isAccepted(client_id, secret)))).toEqual([false, false, true])
  })

  test('is never returned again', async () => {
    const { client_id: id } = await organization.app()
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

  test('requires a fresh sign-in for its replacement', async () => {
    const { client_id: id, client_secret } = await organization.app()
    server.clock.advance(601)
    await switchTo(ana, organization.developer_id)
    expect(await ana.call(clients.regenerateSecret, { id })).toMatchObject({
      http: 403,
      problem: { code: 'reauthentication_required' },
    })
    expect(await isAccepted(id, client_secret)).toBe(true)
  })
})
