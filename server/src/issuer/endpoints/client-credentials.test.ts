import { clients, connections, scopes, security, sessions } from '@vrata/contract'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testEngine } from '../../../test/databases/template-db.ts'
import { relyingParty, signInBy, startListeningServer } from '../../../test/listening.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { type RegisteredUser, registerUser } from '../../../test/registered-user.ts'
import { good } from '../../../test/second-factor.ts'
import type { SignedIn, TestServer } from '../../../test/test-server.ts'
import { allow, authorize, credentials, post, type ThirdParty, userinfo } from '../../../test/third-party.ts'
import { toTime } from '../../db/values.ts'

/** Notes defines scopes and is a resource server; Robot is a service; Jadrolet signs users in. */
let server: TestServer
let ana: SignedIn
let organization: Organization
let notes: ThirdParty
let robot: ThirdParty
let resource: string
beforeAll(async () => {
  server = await startListeningServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
  notes = await organization.app({ name: 'Notes' })
  robot = await organization.app({ name: 'Robot', type: 'service' })
  resource = `${server.config.url}/resources/${notes.client_id}`
  for (const key of ['notes.read', 'notes.write']) {
    const created = await ana.call(scopes.defineScope, { id: notes.client_id, key, title: { 'en-US': key } })
    expect(created).toMatchObject({ ok: true })
  }
  await setScopes(robot, ['openid', 'email', 'notes.read'])
})
afterAll(() => server.close())

async function setScopes({ client_id: id }: ThirdParty, keys: string[]) {
  expect(await ana.call(clients.updateClientInfo, { id, scopes: keys })).toMatchObject({ ok: true })
}
async function configure({ client_id: id }: ThirdParty, changes: Partial<clients.Advanced>) {
  expect(await ana.call(clients.updateAdvanced, { id, ...changes })).toMatchObject({ ok: true })
}
const rpOf = (app: ThirdParty) => relyingParty(server, app.client_id, app.client_secret as string)
const introspect = async (caller: ThirdParty, token: string) =>
  (await post(server, caller, '/introspect', { token })).json()

/** Verifies the address of a new user. */
async function verifyAddress({ user }: RegisteredUser) {
  const email_verified_at = toTime(server.clock.now())
  await server.store.db.updateTable('users').set({ email_verified_at }).where('id', '=', user.id).execute()
}

async function verified(token: string) {
  const keys = createRemoteJWKSet(new URL(`${server.config.url}/jwks`))
  return jwtVerify(token, keys, { issuer: server.config.url, audience: resource, typ: 'at+jwt' })
}

describe('client credentials grant', () => {
  test('issues the requested scopes, and the resource server introspects them', async () => {
    const tokens = await client.clientCredentialsGrant(await rpOf(robot), { scope: 'notes.read' })
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'notes.read', expires_in: 600 })
    expect(tokens.refresh_token).toBeUndefined()
    expect(tokens.id_token).toBeUndefined()
    const { client_id } = robot
    expect(await introspect(notes, tokens.access_token)).toMatchObject({
      active: true,
      sub: client_id,
      client_id,
      scope: 'notes.read',
    })
    expect(await introspect(await organization.app(), tokens.access_token)).toEqual({ active: false })
    expect((await userinfo(server, tokens.access_token)).statusCode).toBe(401)
    await client.tokenRevocation(await rpOf(robot), tokens.access_token)
    expect(await introspect(notes, tokens.access_token)).toEqual({ active: false })
  })

  const REJECTED = ['openid', 'email', 'notes.write', 'openid notes.read', 'nothing.like.this']
  test.each(REJECTED)('rejects the scope %s', async (scope) => {
    const grant = client.clientCredentialsGrant(await rpOf(robot), { scope })
    await expect(grant).rejects.toMatchObject({ status: 400, error: 'invalid_scope' })
  })

  test('rejects scopes of another developer account, because no user can consent', async () => {
    const drago = await server.as(people.drago)
    const stranger = await createOrganization(server, drago, 'Stranger')
    const spy = await stranger.app({ name: 'Spy', type: 'service' })
    const asked = await drago.call(clients.updateClientInfo, { id: spy.client_id, scopes: ['notes.read'] })
    expect(asked).toMatchObject({ ok: true })
    const rp = await rpOf(spy)
    const plain = client.clientCredentialsGrant(rp, { scope: 'notes.read' })
    await expect(plain).rejects.toMatchObject({ status: 400, error: 'invalid_scope' })
    for (const scope of ['notes.read', 'notes.write', '']) {
      const aimed = client.clientCredentialsGrant(rp, { resource, ...(scope && { scope }) })
      await expect(aimed, scope).rejects.toMatchObject({ status: 400 })
    }
  })

  // On PostgreSQL a command sends a signal to the servers.
  test.runIf(testEngine === 'sqlite').each(['opaque', 'jwt'] as const)(
    'ends within a second after a command of the computer has disabled the service (%s)',
    async (access_token_format) => {
      await configure(notes, { access_token_format })
      const bot = await organization.app({ name: 'Bot', type: 'service' })
      await setScopes(bot, ['notes.read'])
      const ask = () => post(server, bot, '/token', { grant_type: 'client_credentials', scope: 'notes.read' })
      expect((await ask()).statusCode).toBe(200)
      const ofBot = server.store.db.updateTable('clients').where('client_id', '=', bot.client_id)
      await ofBot.set({ enabled: 0 }).execute()
      expect(server.store.signals.maxAge).toBeLessThan(1000)
      await expect.poll(async () => (await ask()).statusCode).toBe(401)
      await configure(notes, { access_token_format: 'opaque' })
    },
  )

  test('a JWT ends when its service is disabled, and one that is issued later is another one and counts', async () => {
    await configure(notes, { access_token_format: 'jwt' })
    const bot = await organization.app({ name: 'Bot', type: 'service' })
    await setScopes(bot, ['notes.read'])
    const issue = async () =>
      (await client.clientCredentialsGrant(await rpOf(bot), { scope: 'notes.read' })).access_token
    const ended = [await issue(), await issue()]
    for (const enabled of [false, true])
      expect(await ana.call(clients.updateClientInfo, { id: bot.client_id, enabled })).toMatchObject({ ok: true })
    const later = await issue()
    const ids = await Promise.all([...ended, later].map(async (token) => (await verified(token)).payload.jti))
    expect(new Set(ids).size).toBe(3)
    for (const token of ended) expect(await introspect(notes, token)).toEqual({ active: false })
    expect(await introspect(notes, later)).toMatchObject({ active: true, scope: 'notes.read' })
    await configure(notes, { access_token_format: 'opaque' })
  })

  test('is allowed for services only', async () => {
    const grant = client.clientCredentialsGrant(await rpOf(notes), { scope: 'notes.read' })
    await expect(grant).rejects.toMatchObject({ error: 'unauthorized_client' })
  })

  test('loses scopes at once that are removed from the client', async () => {
    const helper = await organization.app({ type: 'service' })
    await setScopes(helper, ['notes.read', 'notes.write'])
    const { access_token } = await client.clientCredentialsGrant(await rpOf(helper), {
      scope: 'notes.read notes.write',
    })
    await setScopes(helper, ['notes.read'])
    expect(await introspect(notes, access_token)).toMatchObject({ scope: 'notes.read' })
  })
})

describe('a token for a resource (RFC 8707)', () => {
  let jadrolet: ThirdParty
  beforeAll(async () => {
    jadrolet = await organization.app()
    await setScopes(jadrolet, ['openid', 'profile', 'email', 'offline_access', 'notes.read'])
    await allow(ana, jadrolet, 'openid profile email notes.read')
  })

  test('is opaque by default, valid for the resource only, and rejected at userinfo', async () => {
    const scope = 'openid notes.read'
    const options = { tokenParams: { resource } }
    const tokens = await signInBy(await rpOf(jadrolet), ana, { scope, resource }, options)
    expect(tokens.scope).toBe('notes.read')
    expect(await introspect(notes, tokens.access_token)).toMatchObject({ aud: resource, scope: 'notes.read' })
    expect((await userinfo(server, tokens.access_token)).statusCode).toBe(401)
  })

  test('without a resource one opaque token is valid at userinfo and at the resource server', async () => {
    const tokens = await signInBy(await rpOf(jadrolet), ana, { scope: 'openid notes.read' })
    expect((await userinfo(server, tokens.access_token)).statusCode).toBe(200)
    expect(await introspect(notes, tokens.access_token)).toMatchObject({ scope: 'notes.read' })
  })

  test('is a JWT where the resource server wants one (RFC 9068)', async () => {
    await configure(notes, { access_token_format: 'jwt' })
    const rp = await rpOf(jadrolet)
    const tokens = await signInBy(rp, ana, { scope: 'openid notes.read', resource }, { tokenParams: { resource } })
    const { payload, protectedHeader } = await verified(tokens.access_token)
    expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'at+jwt' })
    expect(payload).toMatchObject({ sub: ana.user.id, client_id: jadrolet.client_id, scope: 'notes.read' })
    expect((payload.exp as number) - (payload.iat as number)).toBe(600)
    expect(payload.jti).toBeTruthy()
    expect((await userinfo(server, tokens.access_token)).statusCode).toBe(401)
    // The refresh token yields both: one for userinfo, one for the resource.
    const refresh_token = tokens.refresh_token as string
    const forUserinfo = await client.refreshTokenGrant(rp, refresh_token)
    expect((await userinfo(server, forUserinfo.access_token)).statusCode).toBe(200)
    const forNotes = await client.refreshTokenGrant(rp, forUserinfo.refresh_token as string, { resource })
    await verified(forNotes.access_token)
  })

  test('is implied where one client defines all requested scopes', async () => {
    const { access_token } = await client.clientCredentialsGrant(await rpOf(robot), { scope: 'notes.read' })
    expect((await verified(access_token)).payload).toMatchObject({ sub: robot.client_id, scope: 'notes.read' })
    const tokens = await signInBy(await rpOf(jadrolet), ana, { scope: 'notes.read' })
    expect((await verified(tokens.access_token)).payload.sub).toBe(ana.user.id)
  })

  test('can be introspected by its client and its resource server', async () => {
    const { access_token } = await client.clientCredentialsGrant(await rpOf(robot), { scope: 'notes.read' })
    expect(await introspect(notes, access_token)).toMatchObject({ active: true, aud: resource, sub: robot.client_id })
    expect(await introspect(robot, access_token)).toMatchObject({ active: true })
    expect(await introspect(jadrolet, access_token)).toEqual({ active: false })
    expect(await introspect(notes, `${access_token.slice(0, -4)}AAAA`)).toEqual({ active: false })
  })

  test('is not issued without a granted scope of the resource, because an API might check the audience alone', async () => {
    await allow(ana, jadrolet, 'openid')
    const options = { tokenParams: { resource } }
    for (const format of ['jwt', 'opaque'] as const) {
      await configure(notes, { access_token_format: format })
      const grant = signInBy(await rpOf(jadrolet), ana, { scope: 'openid profile', resource }, options)
      await expect(grant).rejects.toMatchObject({ status: 400, error: 'invalid_target' })
    }
    await configure(notes, { access_token_format: 'jwt' })
  })

  test('is not active after the user has signed out, changed the password or unlinked the client', async () => {
    const options = { tokenParams: { resource } }
    const person = await registerUser(server)
    await verifyAddress(person)
    await allow(person, jadrolet, 'openid notes.read')
    const rp = await rpOf(jadrolet)
    const signIn = () => signInBy(rp, person, { scope: 'openid notes.read', resource }, options)
    const first = await signIn()
    expect(await introspect(notes, first.access_token)).toMatchObject({ active: true, sub: person.user.id })
    expect(await introspect(notes, first.access_token)).not.toHaveProperty('grant')
    expect(good(await person.call(connections.removeConnection, { client: jadrolet.client_id }))).toEqual({})
    await allow(person, jadrolet, 'openid notes.read')
    expect(await introspect(notes, first.access_token)).toEqual({ active: false })
    const second = await signIn()
    expect(await introspect(notes, second.access_token)).toMatchObject({ active: true })
    const passwords = { current_password: person.password, new_password: 'drugacna-gora-17' }
    expect(good(await person.call(security.changePassword, passwords))).toEqual({})
    expect(await introspect(notes, second.access_token)).toEqual({ active: false })
    const third = await signIn()
    expect(await introspect(notes, third.access_token)).toMatchObject({ active: true })
    expect(good(await person.call(sessions.logout))).toEqual({})
    expect(await introspect(notes, third.access_token)).toEqual({ active: false })
  })

  test.each(['nobody', 'https://other.example/api', 'not a url'])('is rejected for %s', async (target) => {
    const asked = target === 'nobody' ? `${server.config.url}/resources/nobody` : target
    const back = await authorize(ana, jadrolet, { scope: 'openid notes.read', resource: asked })
    expect(back.searchParams.get('error')).toBe('invalid_target')
    const grant = client.clientCredentialsGrant(await rpOf(robot), { scope: 'notes.read', resource: asked })
    await expect(grant).rejects.toMatchObject({ error: 'invalid_target' })
  })
})

test('introspection requires authentication, of public clients too (RFC 7662 §2.1)', async () => {
  const page = await organization.app({ type: 'spa' })
  expect(
    await ana.call(scopes.defineScope, { id: page.client_id, key: 'page.read', title: { 'en-US': 'P' } }),
  ).toMatchObject({
    ok: true,
  })
  await setScopes(robot, ['notes.read', 'page.read'])
  const { access_token } = await client.clientCredentialsGrant(await rpOf(robot), { scope: 'page.read' })
  for (const parameters of [{}, { client_assertion: '' }, { client_assertion: '', client_assertion_type: '' }]) {
    const asked = await post(server, page, '/introspect', { token: access_token, ...parameters })
    expect(asked.json().active).toBeUndefined()
    expect(asked.statusCode).toBe(400)
  }
})

test('introspection accepts client_secret_post', async () => {
  const { access_token } = await client.clientCredentialsGrant(await rpOf(robot), { scope: 'notes.read' })
  const rp = await relyingParty(
    server,
    robot.client_id,
    undefined,
    client.ClientSecretPost(robot.client_secret as string),
  )
  expect(await client.tokenIntrospection(rp, access_token)).toMatchObject({ active: true })
  const wrong = { ...robot, client_secret: 'wrong' }
  expect((await post(server, robot, '/introspect', { token: access_token }, credentials(wrong))).statusCode).toBe(401)
})
