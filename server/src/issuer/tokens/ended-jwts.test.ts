import { clients, scopes } from '@vrata/contract'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { relyingParty, startListeningServer } from '../../../test/listening.ts'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { beforeTransaction, type SignedIn, type TestServer } from '../../../test/test-server.ts'
import { allow, codeFor, post, refresh, type ThirdParty, type Tokens } from '../../../test/third-party.ts'
import { createEncryption } from '../../lib/encryption.ts'

/**
 * JWT access tokens end with their app and with their grant, as opaque ones do (decision 0055). Notes is the API, Jadrolet signs people in,
 * and the service Robot calls Notes for itself and for the users of Jadrolet.
 */
const LASTING = ['openid', 'notes.read', 'offline_access']
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

describe.each(['on', 'off'])('with VRATA_NATIVE_TOKENS=%s', (native) => {
  let server: TestServer
  let ana: SignedIn
  let notes: ThirdParty
  let jadrolet: ThirdParty
  let robot: ThirdParty
  let resource: string
  beforeAll(async () => {
    server = await startListeningServer({ VRATA_NATIVE_TOKENS: native })
    ana = await server.as(people.ana)
    const organization = await createOrganization(server, ana)
    notes = await organization.app({ name: 'Notes' })
    jadrolet = await organization.app()
    robot = await organization.app({ name: 'Robot', type: 'service' })
    resource = `${server.config.url}/resources/${notes.client_id}`
    good(await ana.call(scopes.defineScope, { id: notes.client_id, key: 'notes.read', title: { 'en-US': 'Read' } }))
    good(await ana.call(clients.updateAdvanced, { id: notes.client_id, access_token_format: 'jwt' }))
    for (const { client_id: id } of [jadrolet, robot])
      good(await ana.call(clients.updateClientInfo, { id, scopes: ['openid', 'notes.read'] }))
    await allow(ana, jadrolet, 'openid notes.read')
  })
  afterAll(() => server?.close())

  const rpOf = ({ client_id, client_secret }: ThirdParty) => relyingParty(server, client_id, client_secret as string)
  const enable = async ({ client_id: id }: ThirdParty, enabled: boolean) =>
    good(await ana.call(clients.updateClientInfo, { id, enabled }))
  const isActive = async (token: string) => (await post(server, notes, '/introspect', { token })).json().active

  const signIn = async (person = ana) => {
    const { form } = await codeFor(person, jadrolet, { scope: 'openid notes.read', resource })
    const exchangeCode = () => post(server, jadrolet, '/token', { ...form, resource })
    const tokens: Tokens = (await exchangeCode()).json()
    return { tokens, exchangeCode }
  }
  const ofPerson = async () => (await signIn()).tokens.access_token
  const exchange = async (subject_token: string) =>
    await post(server, robot, '/token', {
      grant_type: clients.TOKEN_EXCHANGE_GRANT,
      subject_token,
      subject_token_type: ACCESS_TOKEN,
      resource,
    })
  const TOKENS: Record<string, () => Promise<string>> = {
    'of a person': ofPerson,
    'of a service': async () =>
      (await client.clientCredentialsGrant(await rpOf(robot), { scope: 'notes.read' })).access_token,
    'that a service got in exchange': async () => (await exchange(await ofPerson())).json().access_token,
  }
  const ENDS: [keyof typeof TOKENS, string, () => ThirdParty][] = [
    ['of a person', 'its app', () => jadrolet],
    ['of a service', 'the service', () => robot],
    ['that a service got in exchange', 'the service', () => robot],
    ['that a service got in exchange', 'the app that the person has allowed', () => jadrolet],
  ]

  test.each(ENDS)('a token %s does not live again with %s', async (kind, _, app) => {
    const issue = TOKENS[kind] as () => Promise<string>
    const ended = await issue()
    expect(ended.split('.')).toHaveLength(3)
    expect(await isActive(ended)).toBe(true)
    await enable(app(), false)
    expect(await isActive(ended)).toBe(false)
    await enable(app(), true)
    expect(await isActive(ended)).toBe(false)
    // A request of the same moment gets one that lives.
    expect(await isActive(await issue())).toBe(true)
  })

  test('nor can it be exchanged', async () => {
    const ended = await ofPerson()
    expect((await exchange(ended)).statusCode).toBe(200)
    await enable(jadrolet, false)
    await enable(jadrolet, true)
    expect((await exchange(ended)).json()).toMatchObject({ error: 'invalid_request' })
    expect((await exchange(await ofPerson())).statusCode).toBe(200)
  })

  const GRANT_ENDS: Record<string, (given: Awaited<ReturnType<typeof signIn>>) => Promise<unknown>> = {
    'its code is used again': ({ exchangeCode }) => exchangeCode(),
    'its refresh token is used again': async ({ tokens: { refresh_token } }) => {
      for (const status of [200, 400])
        expect((await refresh(server, jadrolet, refresh_token, { resource })).statusCode).toBe(status)
    },
    'two requests use its refresh token at once': ({ tokens: { refresh_token } }) =>
      Promise.all([1, 2, 3].map(() => refresh(server, jadrolet, refresh_token, { resource }))),
    'its app revokes the refresh token': ({ tokens: { refresh_token } }) =>
      post(server, jadrolet, '/revoke', { token: refresh_token }),
  }

  test.each(Object.entries(GRANT_ENDS))('a token of a person ends when %s, and no other one', async (_, end) => {
    const elsewhere = (await signIn(await server.as(people.ana))).tokens.access_token
    const given = await signIn()
    const { access_token } = given.tokens
    const exchanged: string = (await exchange(access_token)).json().access_token
    for (const token of [elsewhere, access_token, exchanged]) expect(await isActive(token)).toBe(true)
    await end(given)
    for (const token of [access_token, exchanged]) expect(await isActive(token)).toBe(false)
    expect((await exchange(access_token)).json()).toMatchObject({ error: 'invalid_request' })
    expect(await isActive(elsewhere)).toBe(true)
    // The person signs in again in the same session.
    expect(await isActive(await ofPerson())).toBe(true)
    expect(await isActive(access_token)).toBe(false)
  })

  test('a token is not exchanged when its grant ends in the same moment', async () => {
    const { access_token, refresh_token } = (await signIn()).tokens
    // The token has been read, and nothing is written.
    let revoked: number | undefined
    beforeTransaction(server, async () => {
      revoked = (await post(server, jadrolet, '/revoke', { token: refresh_token })).statusCode
    })
    expect((await exchange(access_token)).json()).toMatchObject({ error: 'invalid_request' })
    expect(revoked).toBe(200)
  })

  test('a token of a person ends when the session expires, unless the person has allowed offline access', async () => {
    const expire = async () => {
      const idle_until = new Date(server.clock.now().getTime() - 1000).toISOString()
      const ofAna = server.store.db.updateTable('sessions').set({ idle_until }).where('user_id', '=', ana.user.id)
      await ofAna.execute()
    }
    good(await ana.call(clients.updateClientInfo, { id: jadrolet.client_id, scopes: LASTING }))
    const token = await ofPerson()
    expect(await isActive(token)).toBe(true)
    await expire()
    expect(await isActive(token)).toBe(false)
    ana = await server.as(people.ana)
    await allow(ana, jadrolet, 'openid notes.read offline_access')
    const lasting = await ofPerson()
    await expire()
    expect(await isActive(lasting)).toBe(true)
    ana = await server.as(people.ana)
  })

  test.each(Object.entries(TOKENS))('a token %s ends with the secret', async (_, issue) => {
    const token = await issue()
    const { encryption } = server.deps
    Object.assign(server.deps, { encryption: createEncryption('another secret that is long enough') })
    expect(await isActive(token)).toBe(false)
    Object.assign(server.deps, { encryption })
    expect(await isActive(token)).toBe(true)
  })
})
