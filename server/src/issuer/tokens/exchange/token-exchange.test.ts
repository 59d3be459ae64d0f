import { setTimeout } from 'node:timers/promises'
import { activity, clientDiagnostics, clients, connections, scopes, security, sessions, users } from '@vrata/contract'
import { decodeJwt } from 'jose'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { relyingParty, signInBy, startListeningServer } from '../../../../test/listening.ts'
import { createOrganization, type Organization } from '../../../../test/organization.ts'
import { people } from '../../../../test/people.ts'
import { type RegisteredUser, registerConfirmedUser } from '../../../../test/registered-user.ts'
import { good } from '../../../../test/second-factor.ts'
import type { SignedIn, TestServer } from '../../../../test/test-server.ts'
import { allow, post, refresh, signInTo, type ThirdParty, userinfo } from '../../../../test/third-party.ts'

/**
 * Jadrolet signs people in; the services Robot and Archive of its organization act for them. Notes, of another organization,
 * defines scopes, and its service Sync has an API with an identifier of its own. Spy is a service of a third organization.
 */
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'
const API = 'https://api.sync.example/v1'
const SCOPES = ['openid', 'profile', 'email', 'offline_access', 'notes.read', 'notes.write', 'sync.run']
let server: TestServer
let ana: SignedIn
let drago: SignedIn
let person: RegisteredUser
let organization: Organization
let jadrolet: ThirdParty
let robot: ThirdParty
let archive: ThirdParty
let notes: ThirdParty
let sync: ThirdParty
let spy: ThirdParty
let notesApi: string

beforeAll(async () => {
  server = await startListeningServer()
  ana = await server.as(people.ana)
  drago = await server.as(people.drago)
  organization = await createOrganization(server, ana)
  const foreign = await createOrganization(server, drago, 'Notes Ltd')
  const third = await registerConfirmedUser(server)
  const strangers = await createOrganization(server, third, 'Strangers')
  notes = await foreign.app({ name: 'Notes' })
  sync = await foreign.app({ name: 'Sync', type: 'service' })
  jadrolet = await organization.app()
  robot = await organization.app({ name: 'Robot', type: 'service' })
  archive = await organization.app({ name: 'Archive', type: 'service' })
  spy = await strangers.app({ name: 'Spy', type: 'service' })
  notesApi = `${server.config.url}/resources/${notes.client_id}`
  const defined = [
    [notes, 'notes.read'],
    [notes, 'notes.write'],
    [sync, 'sync.run'],
  ] as const
  for (const [{ client_id: id }, key] of defined)
    good(await drago.call(scopes.defineScope, { id, key, title: { 'en-US': key } }))
  good(
    await drago.call(scopes.addResource, { id: sync.client_id, identifier: API, name: 'Sync', scopes: ['sync.run'] }),
  )
  await register(ana, jadrolet, SCOPES)
  await register(ana, robot, ['openid', 'email', 'offline_access', 'notes.read', 'sync.run'])
  await register(ana, archive, ['openid', 'notes.read', 'notes.write'])
  await register(drago, sync, ['openid', 'email', 'sync.run'])
  await register(third, spy, SCOPES)
  person = await newPerson()
})
afterAll(() => server.close())

async function register(owner: Pick<SignedIn, 'call'>, { client_id: id }: ThirdParty, keys: string[]) {
  good(await owner.call(clients.updateClientInfo, { id, scopes: keys }))
}
async function configure(owner: SignedIn, { client_id: id }: ThirdParty, changes: Partial<clients.Advanced>) {
  good(await owner.call(clients.updateAdvanced, { id, ...changes }))
}
async function newPerson() {
  const someone = await registerConfirmedUser(server)
  await allow(someone, jadrolet, SCOPES.join(' '))
  return someone
}
const rpOf = (app: ThirdParty) => relyingParty(server, app.client_id, app.client_secret as string)
const tokensOf = (someone: SignedIn, scope = 'openid email notes.read notes.write') =>
  signInTo(server, someone, jadrolet, { scope })
/** A JWT of the person for the API of Sync. */
const jwtOf = async (someone: SignedIn) =>
  (await signInBy(await rpOf(jadrolet), someone, { scope: 'openid sync.run', resource: API }, forApi)).access_token
const forApi = { tokenParams: { resource: API } }

const parametersOf = (subject_token: string, more: Record<string, string> = {}) => ({
  subject_token,
  subject_token_type: ACCESS_TOKEN,
  ...more,
})
const exchangeAs = async (service: ThirdParty, token: string, more: Record<string, string> = {}) =>
  client.genericGrantRequest(await rpOf(service), clients.TOKEN_EXCHANGE_GRANT, parametersOf(token, more))
const introspect = async (caller: ThirdParty, token: string) =>
  (await post(server, caller, '/introspect', { token })).json()

describe('a service of the same organization', () => {
  test('acts for the person with the scopes that both have, within the lifetime of the token', async () => {
    const { access_token } = await tokensOf(person)
    server.clock.advance(60)
    const tokens = await exchangeAs(robot, access_token)
    expect(tokens).toEqual({
      access_token: expect.any(String),
      issued_token_type: ACCESS_TOKEN,
      token_type: 'bearer',
      expires_in: 540,
      scope: 'openid email notes.read',
    })
    expect(await introspect(robot, tokens.access_token)).toMatchObject({
      active: true,
      sub: person.user.id,
      client_id: robot.client_id,
      scope: 'openid email notes.read',
      act: { sub: robot.client_id },
    })
    expect(await introspect(notes, tokens.access_token)).toMatchObject({ scope: 'notes.read' })
    expect(await introspect(jadrolet, tokens.access_token)).toEqual({ active: false })
    expect((await userinfo(server, tokens.access_token)).json()).toMatchObject({
      sub: person.user.id,
      email: person.email,
    })
    expect((await userinfo(server, access_token)).statusCode).toBe(200)
  })

  test('is served by oauth4webapi, and may exchange a token again', async () => {
    const { access_token } = await tokensOf(person)
    const insecure = { [oauth.allowInsecureRequests]: true }
    const issuer = new URL(server.config.url)
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))
    expect(as.grant_types_supported).toContain(clients.TOKEN_EXCHANGE_GRANT)
    const { client_id, client_secret } = robot
    const authentication = oauth.ClientSecretBasic(client_secret as string)
    for (let time = 0; time < 2; time += 1) {
      const parameters = parametersOf(access_token, { scope: 'openid', requested_token_type: ACCESS_TOKEN })
      const grant = clients.TOKEN_EXCHANGE_GRANT
      const asked = { client_id }
      const answer = await oauth.genericTokenEndpointRequest(as, asked, authentication, grant, parameters, insecure)
      const tokens = await oauth.processGenericTokenEndpointResponse(as, asked, answer)
      expect(tokens).toMatchObject({ scope: 'openid', issued_token_type: ACCESS_TOKEN })
      expect(tokens.refresh_token).toBeUndefined()
      expect(tokens.id_token).toBeUndefined()
    }
  })

  test('gets a JWT that names both services in a chain of two, for the resource it names', async () => {
    await configure(drago, notes, { access_token_format: 'jwt' })
    const { access_token } = await tokensOf(person)
    const first = await exchangeAs(robot, access_token, { scope: 'openid notes.read' })
    const second = await exchangeAs(archive, first.access_token, { resource: notesApi })
    const act = { sub: archive.client_id, act: { sub: robot.client_id } }
    expect(second.scope).toBe('notes.read')
    expect(decodeJwt(second.access_token)).toMatchObject({
      aud: notesApi,
      sub: person.user.id,
      client_id: archive.client_id,
      scope: 'notes.read',
      act,
    })
    expect(await introspect(notes, second.access_token)).toMatchObject({ active: true, act })
    expect(await introspect(archive, second.access_token)).not.toHaveProperty('grant')
    expect(await introspect(robot, second.access_token)).toEqual({ active: false })
    // The JWT, its type, and a default resource for its scopes.
    const type = 'urn:ietf:params:oauth:token-type:jwt'
    const third = await exchangeAs(robot, second.access_token, { subject_token_type: type })
    expect(decodeJwt(third.access_token)).toMatchObject({ aud: notesApi, act: { sub: robot.client_id, act } })
    expect(third.expires_in).toBeLessThanOrEqual(second.expires_in as number)
    await configure(drago, notes, { access_token_format: 'opaque' })
  })

  test('gets no token that outlasts the one of the person, also in its last second', async () => {
    const { access_token } = await tokensOf(person)
    server.clock.advance(598.5)
    const { access_token: own, expires_in } = await exchangeAs(robot, access_token)
    expect(expires_in).toBe(1)
    server.clock.advance(0.9)
    for (const token of [own, access_token])
      await expect(exchangeAs(robot, token)).rejects.toMatchObject({ error: 'invalid_request' })
    server.clock.advance(-599.4)
  })

  test('remains one actor when it exchanges its own token, and a chain has at most four', async () => {
    let { access_token } = await tokensOf(person)
    for (const service of [robot, robot, archive, robot, archive])
      ({ access_token } = await exchangeAs(service, access_token, { scope: 'openid' }))
    expect(await introspect(archive, access_token)).toMatchObject({
      act: { sub: archive.client_id, act: { sub: robot.client_id, act: { act: { sub: robot.client_id } } } },
    })
    await expect(exchangeAs(robot, access_token)).rejects.toMatchObject({ error: 'invalid_request' })
  })

  test('revokes its token alone; the app that revokes its own ends both', async () => {
    const { access_token, refresh_token } = await tokensOf(person)
    const first = await exchangeAs(robot, access_token)
    await client.tokenRevocation(await rpOf(robot), first.access_token)
    expect(await introspect(robot, first.access_token)).toEqual({ active: false })
    expect((await userinfo(server, access_token)).statusCode).toBe(200)
    const next = (await refresh(server, jadrolet, refresh_token)).json()
    const second = await exchangeAs(robot, next.access_token)
    await client.tokenRevocation(await rpOf(jadrolet), next.access_token)
    expect(await introspect(robot, second.access_token)).toEqual({ active: false })
  })
})

describe('a service of another organization', () => {
  test('exchanges tokens for its own API, under its identifier or its name', async () => {
    const jwt = await jwtOf(person)
    const tokens = await exchangeAs(sync, jwt)
    expect(tokens.scope).toBe('sync.run')
    expect(await introspect(sync, tokens.access_token)).toMatchObject({
      active: true,
      sub: person.user.id,
      act: { sub: sync.client_id },
    })
    const resource = `${server.config.url}/resources/${sync.client_id}`
    const named = { scope: 'openid sync.run', resource }
    const opaque = await signInBy(await rpOf(jadrolet), person, named, { tokenParams: { resource } })
    const again = await exchangeAs(sync, opaque.access_token, { resource: API })
    expect(decodeJwt(again.access_token)).toMatchObject({ aud: API, client_id: sync.client_id })
  })

  test('exchanges no other tokens, and does not learn why', async () => {
    const { access_token, refresh_token, id_token } = await tokensOf(person, 'openid email notes.read sync.run')
    const jwt = await jwtOf(person)
    const ofRobot = await client
      .clientCredentialsGrant(await rpOf(robot), { scope: 'notes.read' })
      .catch(() => undefined)
    const refused = [
      [spy, access_token],
      [spy, jwt],
      [sync, access_token],
      [robot, refresh_token],
      [robot, 'unknown'],
      [robot, `${jwt.slice(0, -4)}AAAA`],
      [robot, id_token],
      ...(ofRobot ? ([[robot, ofRobot.access_token]] as const) : []),
    ] as const
    const answers = []
    for (const [service, token] of refused)
      answers.push(
        (
          await post(server, service, '/token', { grant_type: clients.TOKEN_EXCHANGE_GRANT, ...parametersOf(token) })
        ).json(),
      )
    const one = {
      error: 'invalid_request',
      error_description: 'subject_token is not an access token that this service can exchange',
    }
    expect(answers).toEqual(refused.map(() => one))
  })
})

describe('a request is refused', () => {
  test.each([
    ['a scope that the token does not have', { scope: 'openid sync.run' }, 'invalid_scope'],
    ['a scope that the service has not registered', { scope: 'notes.write' }, 'invalid_scope'],
    ['offline_access, because there is no refresh token', { scope: 'openid offline_access' }, 'invalid_scope'],
    ['a refresh token', { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }, 'invalid_request'],
    [
      'another type of subject token',
      { subject_token_type: 'urn:ietf:params:oauth:token-type:id_token' },
      'invalid_request',
    ],
    ['a JWT that is none', { subject_token_type: 'urn:ietf:params:oauth:token-type:jwt' }, 'invalid_request'],
    ['no type of subject token', { subject_token_type: '' }, 'invalid_request'],
    ['no subject token', { subject_token: '' }, 'invalid_request'],
    ['an actor token', { actor_token: 'a', actor_token_type: ACCESS_TOKEN }, 'invalid_request'],
    ['an audience', { audience: 'https://api.sync.example/v1' }, 'invalid_target'],
    ['an API of which no scope is left', { resource: API }, 'invalid_target'],
    ['an unknown API', { resource: 'https://unknown.example/' }, 'invalid_target'],
  ])('for %s', async (_, wrong, error) => {
    const { access_token } = await tokensOf(person)
    await expect(exchangeAs(robot, access_token, wrong)).rejects.toMatchObject({ status: 400, error })
  })

  test('when token and service have no scope in common', async () => {
    const { access_token } = await tokensOf(person, 'openid profile')
    await register(ana, archive, ['notes.read'])
    await expect(exchangeAs(archive, access_token)).rejects.toMatchObject({ error: 'invalid_scope' })
    await register(ana, archive, ['openid', 'notes.read', 'notes.write'])
  })

  test('for a token of an app with pairwise subjects, because the service has the public sub', async () => {
    const { access_token } = await tokensOf(person)
    await configure(ana, jadrolet, { subject_type: 'pairwise' })
    await expect(exchangeAs(robot, access_token)).rejects.toMatchObject({ error: 'invalid_request' })
    await configure(ana, jadrolet, { subject_type: 'public' })
    expect((await exchangeAs(robot, access_token)).access_token).toBeTruthy()
  })

  test('of an app that is not a service', async () => {
    const { access_token } = await tokensOf(person)
    await expect(exchangeAs(jadrolet, access_token)).rejects.toMatchObject({ error: 'unauthorized_client' })
  })

  test('without client authentication', async () => {
    const { access_token } = await tokensOf(person)
    const form = { grant_type: clients.TOKEN_EXCHANGE_GRANT, client_id: robot.client_id, ...parametersOf(access_token) }
    expect((await post(server, robot, '/token', form, {})).statusCode).toBe(401)
  })

  test('once the token was revoked or its grant has ended', async () => {
    const other = await newPerson()
    const revoked = await tokensOf(other)
    await client.tokenRevocation(await rpOf(jadrolet), revoked.access_token)
    const refused = { error: 'invalid_request' }
    await expect(exchangeAs(robot, revoked.access_token)).rejects.toMatchObject(refused)
    const [opaque, structured] = [await tokensOf(other), await jwtOf(other)]
    good(await other.call(connections.removeConnection, { client: jadrolet.client_id }))
    for (const token of [opaque.access_token, structured])
      await expect(exchangeAs(robot, token)).rejects.toMatchObject(refused)
  })

  test('for a person whom the organization of the service has blocked, and ends tokens from before', async () => {
    const other = await newPerson()
    await allow(other, notes, 'openid')
    const jwt = await jwtOf(other)
    const before = await exchangeAs(sync, jwt)
    const structured = await exchangeAs(sync, jwt, { resource: API })
    good(await drago.call(users.setUserBlocked, { id: other.user.id, blocked: true }))
    await expect(exchangeAs(sync, jwt)).rejects.toMatchObject({ error: 'invalid_request' })
    for (const { access_token } of [before, structured])
      expect(await introspect(sync, access_token)).toEqual({ active: false })
  })

  test('in plain words among the rejected requests of the service', async () => {
    const { access_token } = await tokensOf(person)
    await exchangeAs(archive, 'unknown').catch(() => undefined)
    await exchangeAs(archive, access_token, { scope: 'email' }).catch(() => undefined)
    await exchangeAs(archive, access_token, { resource: API }).catch(() => undefined)
    await exchangeAs(archive, access_token, { actor_token: 'a' }).catch(() => undefined)
    const listed = good(await ana.call(clientDiagnostics.listClientErrors, { id: archive.client_id }))
    const reasons = listed.map(({ reason, detail }) => [reason, detail])
    expect(reasons).toEqual(
      expect.arrayContaining([
        ['subject_token', ''],
        ['scope', 'email'],
        ['resource', API],
        ['token_request', 'actor_token is not supported: the client is the actor'],
      ]),
    )
  })
})

describe('events that end an exchanged token', () => {
  const both = async (someone: SignedIn) => {
    const { access_token } = await tokensOf(someone, 'openid email sync.run')
    const opaque = await exchangeAs(robot, access_token, { scope: 'openid email' })
    const jwt = await exchangeAs(robot, access_token, { scope: 'sync.run', resource: API })
    return [opaque.access_token, jwt.access_token]
  }
  const activeOf = async (tokens: string[]) => {
    const answers = await Promise.all(tokens.map((token) => introspect(robot, token)))
    return answers.map(({ active, scope }) => (active ? scope : active))
  }
  const all = ['openid email', 'sync.run']

  test('a disabled first app or service, also when it is enabled again', async () => {
    const other = await newPerson()
    for (const app of [jadrolet, robot]) {
      const [opaque = '', jwt = ''] = await both(other)
      expect(await activeOf([opaque, jwt])).toEqual(all)
      good(await ana.call(clients.updateClientInfo, { id: app.client_id, enabled: false }))
      expect(await introspect(sync, jwt)).toEqual({ active: false })
      expect((await userinfo(server, opaque)).statusCode).toBe(401)
      good(await ana.call(clients.updateClientInfo, { id: app.client_id, enabled: true }))
      expect(await activeOf([opaque, jwt])).toEqual([false, false])
    }
  })

  test('a deleted first app', async () => {
    const other = await registerConfirmedUser(server)
    const app = await organization.app()
    await register(ana, app, SCOPES)
    await allow(other, app, SCOPES.join(' '))
    const { access_token } = await signInTo(server, other, app, { scope: 'openid email sync.run' })
    const opaque = await exchangeAs(robot, access_token, { scope: 'openid email' })
    const jwt = await exchangeAs(robot, access_token, { resource: API })
    good(await ana.call(clients.deleteClient, { id: app.client_id }))
    expect(await activeOf([opaque.access_token, jwt.access_token])).toEqual([false, false])
  })

  test('a scope that the person, the first app or the service no longer has', async () => {
    const other = await newPerson()
    const tokens = await both(other)
    await register(
      ana,
      jadrolet,
      SCOPES.filter((key) => key !== 'email'),
    )
    expect(await activeOf(tokens)).toEqual(['openid', 'sync.run'])
    await register(ana, jadrolet, SCOPES)
    await register(ana, robot, ['openid', 'offline_access', 'notes.read', 'sync.run'])
    expect(await activeOf(tokens)).toEqual(['openid', 'sync.run'])
    await register(ana, robot, ['openid', 'email', 'offline_access', 'notes.read', 'sync.run'])
    good(await other.call(connections.revokeScope, { client: jadrolet.client_id, key: 'sync.run' }))
    expect(await activeOf(tokens)).toEqual(['openid email', ''])
    good(await other.call(connections.revokeScope, { client: jadrolet.client_id, key: 'email' }))
    expect(await activeOf(tokens)).toEqual([false, ''])
  })
})

test('an API learns that the person has revoked all of its scopes', async () => {
  const other = await newPerson()
  const jwt = await jwtOf(other)
  expect(await introspect(sync, jwt)).toMatchObject({ active: true, scope: 'sync.run' })
  good(await other.call(connections.revokeScope, { client: jadrolet.client_id, key: 'sync.run' }))
  expect(await introspect(sync, jwt)).toEqual({ active: false })
})

test('a JWT is exchanged for none once the password of the person has changed', async () => {
  const other = await newPerson()
  const form = { ...parametersOf(await jwtOf(other)), grant_type: clients.TOKEN_EXCHANGE_GRANT }
  // The JWT has been read, and nothing is written.
  const { transaction } = server.deps
  server.deps.transaction = (async (...given: Parameters<typeof transaction>) => {
    server.deps.transaction = transaction
    const change = { current_password: other.password, new_password: 'drugacna-gora-17' }
    good(await other.call(security.changePassword, change))
    return await transaction(...given)
  }) as typeof transaction
  const answer = await post(server, sync, '/token', form)
  expect(server.deps.transaction).toBe(transaction)
  expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_request'])
})

describe('bound tokens (RFC 9449)', () => {
  test('are exchanged for bound ones only, with the key of the service', async () => {
    const rp = await rpOf(jadrolet)
    const DPoP = client.getDPoPHandle(rp, await client.randomDPoPKeyPair())
    const { access_token } = await signInBy(rp, person, { scope: 'openid email' }, { DPoP })
    await expect(exchangeAs(robot, access_token)).rejects.toMatchObject({ error: 'invalid_request' })
    const service = await rpOf(robot)
    const own = { DPoP: client.getDPoPHandle(service, await client.randomDPoPKeyPair()) }
    const grant = clients.TOKEN_EXCHANGE_GRANT
    const bound = await client.genericGrantRequest(service, grant, parametersOf(access_token), own)
    expect(bound.token_type).toBe('dpop')
    expect(await introspect(robot, bound.access_token)).toMatchObject({
      token_type: 'DPoP',
      act: { sub: robot.client_id },
      cnf: { jkt: expect.any(String) },
    })
    expect((await userinfo(server, bound.access_token)).statusCode).toBe(401)
    const claims = await client.fetchUserInfo(service, bound.access_token, person.user.id, own)
    expect(claims).toMatchObject({ sub: person.user.id, email: person.email })
    // oidc-provider answers userinfo for bound tokens, from the grant.
    await register(
      ana,
      jadrolet,
      SCOPES.filter((key) => key !== 'email'),
    )
    const fewer = await client.fetchUserInfo(service, bound.access_token, person.user.id, own)
    expect(fewer).not.toHaveProperty('email')
    await register(ana, jadrolet, SCOPES)
  })

  test('are required where the service must bind its tokens', async () => {
    await configure(ana, robot, { dpop_bound_access_tokens: true })
    const { access_token } = await tokensOf(person)
    await expect(exchangeAs(robot, access_token)).rejects.toMatchObject({ error: 'invalid_grant' })
    await configure(ana, robot, { dpop_bound_access_tokens: false })
  })
})

describe('the person sees', () => {
  test('the services of a connected app, since it was connected', async () => {
    const other = await newPerson()
    await exchangeAs(robot, (await tokensOf(other)).access_token)
    const services = async () => {
      const [connection] = good(await other.call(connections.listConnections))
      return connection?.services.map(({ client: { name } }) => name)
    }
    expect(await services()).toEqual(['Robot'])
    good(await other.call(connections.removeConnection, { client: jadrolet.client_id }))
    server.clock.advance(1)
    await allow(other, jadrolet, SCOPES.join(' '))
    expect(await services()).toEqual([])
  })

  test('no service that got no token', async () => {
    const other = await newPerson()
    const { access_token } = await tokensOf(other, 'openid email')
    await expect(exchangeAs(robot, access_token, { resource: API })).rejects.toMatchObject({ error: 'invalid_target' })
    expect(good(await other.call(activity.listActivity, { type: 'SERVICE_USED_ACCESS' }))).toEqual([])
  })

  test('both apps in the activity, once a day for each app and service; an expired token is refused', async () => {
    const other = await newPerson()
    const { access_token } = await tokensOf(other)
    await Promise.all([1, 2, 3].map(() => exchangeAs(robot, access_token)))
    await exchangeAs(archive, access_token, { scope: 'openid' })
    const listed = async (filter: { client_id?: string } = {}) => {
      const rows = good(await other.call(activity.listActivity, { type: 'SERVICE_USED_ACCESS', ...filter }))
      return rows.map(({ app, acting_app }) => [app?.client_id, acting_app?.client_id])
    }
    const ofRobot = [jadrolet.client_id, robot.client_id]
    const ofArchive = [jadrolet.client_id, archive.client_id]
    expect(await listed()).toEqual([ofArchive, ofRobot])
    expect(await listed({ client_id: robot.client_id })).toEqual([ofRobot])
    const jwt = await jwtOf(other)
    server.clock.advance(24 * 60 * 60)
    good(await other.call(sessions.refresh, {}))
    const next = await tokensOf(other)
    await exchangeAs(robot, next.access_token)
    expect(await listed()).toEqual([ofRobot, ofArchive, ofRobot])
    // JWTs live by the clock of the machine, which is later than that of the test, by more with each day.
    const later = (Date.now() - server.clock.now().getTime()) / 1000 + 24 * 60 * 60
    server.clock.advance(later)
    for (const expired of [access_token, next.access_token, jwt])
      await expect(exchangeAs(robot, expired)).rejects.toMatchObject({ error: 'invalid_request' })
    server.clock.advance(-later)
  })
})

test('a service that is disabled while it gets tokens keeps none of them when it is enabled again', async () => {
  // Tests before this one may have let days pass.
  for (const one of [ana, person]) good(await one.call(sessions.refresh, {}))
  const { access_token } = await tokensOf(person)
  for (let round = 0; round < 6; round += 1) {
    const service = await organization.app({ name: 'Courier', type: 'service' })
    const [{ client_id: id }, scope] = [service, `courier${round}.run`]
    good(await ana.call(scopes.defineScope, { id, key: scope, title: { 'en-US': scope } }))
    await register(ana, service, ['openid', 'email', scope])
    const exchanged = { ...parametersOf(access_token), grant_type: clients.TOKEN_EXCHANGE_GRANT }
    const forms = [exchanged, { grant_type: 'client_credentials', scope }]
    const [disabled, ...answers] = await Promise.all([
      ana.call(clients.updateClientInfo, { id, enabled: false }),
      // Started one after the other, so that some overlap with it.
      ...Array.from({ length: 16 }, async (_, i) => {
        await setTimeout(i / 2)
        return await post(server, service, '/token', forms[i % 2] as (typeof forms)[0])
      }),
    ])
    expect(disabled).toMatchObject({ ok: true })
    good(await ana.call(clients.updateClientInfo, { id, enabled: true }))
    for (const answer of answers) {
      if (answer.statusCode !== 200) expect(answer.json().error).toBe('invalid_client')
      else expect(await introspect(service, answer.json().access_token)).toEqual({ active: false })
    }
    expect(server.deadlocks()).toEqual([])
  }
})

test('an app that is disabled while a service exchanges its tokens leaves it none when it is enabled again', async () => {
  for (const one of [ana, person]) good(await one.call(sessions.refresh, {}))
  const first = await organization.app({ name: 'First' })
  const id = first.client_id
  await register(ana, first, ['openid', 'email'])
  await allow(person, first, 'openid email')
  for (let round = 0; round < 4; round += 1) {
    const { access_token } = await signInTo(server, person, first, { scope: 'openid email' })
    const form = { ...parametersOf(access_token), grant_type: clients.TOKEN_EXCHANGE_GRANT }
    const [disabled, ...answers] = await Promise.all([
      ana.call(clients.updateClientInfo, { id, enabled: false }),
      ...Array.from({ length: 12 }, async (_, i) => {
        await setTimeout(i / 2)
        return await post(server, robot, '/token', form)
      }),
    ])
    expect(disabled).toMatchObject({ ok: true })
    good(await ana.call(clients.updateClientInfo, { id, enabled: true }))
    for (const answer of answers) {
      if (answer.statusCode !== 200) expect(answer.json().error).toMatch(/^invalid_(request|grant)$/)
      else expect(await introspect(robot, answer.json().access_token)).toEqual({ active: false })
    }
    expect(server.deadlocks()).toEqual([])
  }
})

test('a service whose organization blocks the person while it exchanges tokens keeps none of them', async () => {
  for (const one of [ana, drago]) good(await one.call(sessions.refresh, {}))
  for (let round = 0; round < 4; round += 1) {
    const other = await newPerson()
    // Known to the organization of the service.
    await allow(other, notes, 'openid')
    const jwt = await jwtOf(other)
    const form = { ...parametersOf(jwt), grant_type: clients.TOKEN_EXCHANGE_GRANT }
    const [blocked, ...answers] = await Promise.all([
      // Begun in between, so that some overlap with it.
      setTimeout(3 * round + 3).then(() => drago.call(users.setUserBlocked, { id: other.user.id, blocked: true })),
      ...Array.from({ length: 12 }, async (_, i) => {
        await setTimeout(i)
        return await post(server, sync, '/token', form)
      }),
    ])
    expect(blocked).toMatchObject({ ok: true })
    for (const answer of answers) {
      if (answer.statusCode !== 200) expect(answer.json().error).toMatch(/^invalid_(request|grant)$/)
      else expect(await introspect(sync, answer.json().access_token)).toEqual({ active: false })
    }
    expect(server.deadlocks()).toEqual([])
  }
})
