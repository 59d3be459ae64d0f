import { auth, clients, connections, scopes } from '@vrata/contract'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { House, SignedIn } from '../../test/house.ts'
import { openListening, relyingParty, signInBy } from '../../test/listening.ts'
import { type Newcomer, newcomer } from '../../test/newcomer.ts'
import { type Organisation, openOrganisation } from '../../test/organisation.ts'
import { people } from '../../test/people.ts'
import { good } from '../../test/second-factor.ts'
import { allow, authorize, credentials, post, type ThirdParty, userinfo } from '../../test/third-party.ts'
import { toTime } from '../db/values.ts'

/** Notes defines scopes and so is a resource server; Robot is a service, Jadrolet signs people in. */
let house: House
let ana: SignedIn
let organisation: Organisation
let notes: ThirdParty
let robot: ThirdParty
let resource: string
beforeAll(async () => {
  house = await openListening()
  ana = await house.as(people.ana)
  organisation = await openOrganisation(house, ana)
  notes = await organisation.app({ name: 'Notes' })
  robot = await organisation.app({ name: 'Robot', type: 'service' })
  resource = `${house.config.url}/resources/${notes.client_id}`
  for (const key of ['notes.read', 'notes.write']) {
    const made = await ana.call(scopes.putScope, { id: notes.client_id, key, title: { 'en-US': key } })
    expect(made).toMatchObject({ ok: true })
  }
  await mayAsk(robot, ['openid', 'email', 'notes.read'])
})
afterAll(() => house.close())

async function mayAsk({ client_id: id }: ThirdParty, keys: string[]) {
  expect(await ana.call(clients.updateClientInfo, { id, scopes: keys })).toMatchObject({ ok: true })
}
async function put({ client_id: id }: ThirdParty, changes: Partial<clients.Advanced>) {
  expect(await ana.call(clients.updateAdvanced, { id, ...changes })).toMatchObject({ ok: true })
}
const rpOf = (app: ThirdParty) => relyingParty(house, app.client_id, app.client_secret as string)
const introspect = async (caller: ThirdParty, token: string) =>
  (await post(house, caller, '/introspect', { token })).json()

/** Somebody whose address is confirmed, however that came about. */
async function confirmed({ user }: Newcomer) {
  const email_verified_at = toTime(house.clock.now())
  await house.store.db.updateTable('users').set({ email_verified_at }).where('id', '=', user.id).execute()
}

async function verified(token: string) {
  const keys = createRemoteJWKSet(new URL(`${house.config.url}/jwks`))
  return jwtVerify(token, keys, { issuer: house.config.url, audience: resource, typ: 'at+jwt' })
}

describe('§2 a service in its own name', () => {
  test('is given what it may ask for, and the resource server sees it', async () => {
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
    expect(await introspect(await organisation.app(), tokens.access_token)).toEqual({ active: false })
    expect((await userinfo(house, tokens.access_token)).statusCode).toBe(401)
    await client.tokenRevocation(await rpOf(robot), tokens.access_token)
    expect(await introspect(notes, tokens.access_token)).toEqual({ active: false })
  })

  test.each(['openid', 'email', 'notes.write', 'openid notes.read'])('is refused %s', async (scope) => {
    const grant = client.clientCredentialsGrant(await rpOf(robot), { scope })
    await expect(grant).rejects.toMatchObject({ status: 400, error: 'invalid_scope' })
  })

  test('is not given what another organisation defines: no person is there to allow it', async () => {
    const drago = await house.as(people.drago)
    const stranger = await openOrganisation(house, drago, 'Stranger')
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

  test('is the only kind of app that may', async () => {
    const grant = client.clientCredentialsGrant(await rpOf(notes), { scope: 'notes.read' })
    await expect(grant).rejects.toMatchObject({ error: 'unauthorized_client' })
  })

  test('loses at once what its developers no longer let it ask for', async () => {
    const helper = await organisation.app({ type: 'service' })
    await mayAsk(helper, ['notes.read', 'notes.write'])
    const { access_token } = await client.clientCredentialsGrant(await rpOf(helper), {
      scope: 'notes.read notes.write',
    })
    await mayAsk(helper, ['notes.read'])
    expect(await introspect(notes, access_token)).toMatchObject({ scope: 'notes.read' })
  })
})

describe('§2 a token for a resource (RFC 8707)', () => {
  let jadrolet: ThirdParty
  beforeAll(async () => {
    jadrolet = await organisation.app()
    await mayAsk(jadrolet, ['openid', 'profile', 'email', 'offline_access', 'notes.read'])
    await allow(ana, jadrolet, 'openid profile email notes.read')
  })

  test('is opaque unless its app wants otherwise: good for that alone, not for userinfo', async () => {
    const scope = 'openid notes.read'
    const options = { tokenParams: { resource } }
    const tokens = await signInBy(await rpOf(jadrolet), ana, { scope, resource }, options)
    expect(tokens.scope).toBe('notes.read')
    expect(await introspect(notes, tokens.access_token)).toMatchObject({ aud: resource, scope: 'notes.read' })
    expect((await userinfo(house, tokens.access_token)).statusCode).toBe(401)
  })

  test('without a resource one opaque token serves userinfo and the app', async () => {
    const tokens = await signInBy(await rpOf(jadrolet), ana, { scope: 'openid notes.read' })
    expect((await userinfo(house, tokens.access_token)).statusCode).toBe(200)
    expect(await introspect(notes, tokens.access_token)).toMatchObject({ scope: 'notes.read' })
  })

  test('is a JWT where its app wants that, and anybody can check it (RFC 9068)', async () => {
    await put(notes, { access_token_format: 'jwt' })
    const rp = await rpOf(jadrolet)
    const tokens = await signInBy(rp, ana, { scope: 'openid notes.read', resource }, { tokenParams: { resource } })
    const { payload, protectedHeader } = await verified(tokens.access_token)
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'at+jwt' })
    expect(payload).toMatchObject({ sub: ana.user.id, client_id: jadrolet.client_id, scope: 'notes.read' })
    expect((payload.exp as number) - (payload.iat as number)).toBe(600)
    expect(payload.jti).toBeTruthy()
    expect((await userinfo(house, tokens.access_token)).statusCode).toBe(401)
    // The refresh token gives both kinds: one for userinfo, one for the resource.
    const refresh_token = tokens.refresh_token as string
    const forUserinfo = await client.refreshTokenGrant(rp, refresh_token)
    expect((await userinfo(house, forUserinfo.access_token)).statusCode).toBe(200)
    const forNotes = await client.refreshTokenGrant(rp, forUserinfo.refresh_token as string, { resource })
    await verified(forNotes.access_token)
  })

  test('is inferred where one app alone is asked for', async () => {
    const { access_token } = await client.clientCredentialsGrant(await rpOf(robot), { scope: 'notes.read' })
    expect((await verified(access_token)).payload).toMatchObject({ sub: robot.client_id, scope: 'notes.read' })
    const tokens = await signInBy(await rpOf(jadrolet), ana, { scope: 'notes.read' })
    expect((await verified(tokens.access_token)).payload.sub).toBe(ana.user.id)
  })

  test('says whether it still counts, to its app and to the one it was given to', async () => {
    const { access_token } = await client.clientCredentialsGrant(await rpOf(robot), { scope: 'notes.read' })
    expect(await introspect(notes, access_token)).toMatchObject({ active: true, aud: resource, sub: robot.client_id })
    expect(await introspect(robot, access_token)).toMatchObject({ active: true })
    expect(await introspect(jadrolet, access_token)).toEqual({ active: false })
    expect(await introspect(notes, `${access_token.slice(0, -4)}AAAA`)).toEqual({ active: false })
  })

  test('is not made where nothing of the resource is allowed: an API might look at the audience alone', async () => {
    await allow(ana, jadrolet, 'openid')
    const options = { tokenParams: { resource } }
    for (const format of ['jwt', 'opaque'] as const) {
      await put(notes, { access_token_format: format })
      const grant = signInBy(await rpOf(jadrolet), ana, { scope: 'openid profile', resource }, options)
      await expect(grant).rejects.toMatchObject({ status: 400, error: 'invalid_target' })
    }
    await put(notes, { access_token_format: 'jwt' })
  })

  test('counts no more, for whoever asks, once the person has signed out or unlinked the app', async () => {
    const options = { tokenParams: { resource } }
    const person = await newcomer(house)
    await confirmed(person)
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
    expect(good(await person.call(auth.logout))).toEqual({})
    expect(await introspect(notes, second.access_token)).toEqual({ active: false })
  })

  test.each(['nobody', 'https://other.example/api', 'not a url'])('is refused for %s', async (target) => {
    const asked = target === 'nobody' ? `${house.config.url}/resources/nobody` : target
    const back = await authorize(ana, jadrolet, { scope: 'openid notes.read', resource: asked })
    expect(back.searchParams.get('error')).toBe('invalid_target')
    const grant = client.clientCredentialsGrant(await rpOf(robot), { scope: 'notes.read', resource: asked })
    await expect(grant).rejects.toMatchObject({ error: 'invalid_target' })
  })
})

test('§2 whoever asks about a token must prove who it is, a public app too (RFC 7662 §2.1)', async () => {
  const page = await organisation.app({ type: 'spa' })
  expect(
    await ana.call(scopes.putScope, { id: page.client_id, key: 'page.read', title: { 'en-US': 'P' } }),
  ).toMatchObject({
    ok: true,
  })
  await mayAsk(robot, ['notes.read', 'page.read'])
  const { access_token } = await client.clientCredentialsGrant(await rpOf(robot), { scope: 'page.read' })
  for (const proof of [{}, { client_assertion: '' }, { client_assertion: '', client_assertion_type: '' }]) {
    const asked = await post(house, page, '/introspect', { token: access_token, ...proof })
    expect(asked.json().active).toBeUndefined()
    expect(asked.statusCode).toBe(400)
  }
})

test('§2 whoever asks about a token may prove itself by a secret in the form, too', async () => {
  const { access_token } = await client.clientCredentialsGrant(await rpOf(robot), { scope: 'notes.read' })
  const rp = await relyingParty(
    house,
    robot.client_id,
    undefined,
    client.ClientSecretPost(robot.client_secret as string),
  )
  expect(await client.tokenIntrospection(rp, access_token)).toMatchObject({ active: true })
  const wrong = { ...robot, client_secret: 'wrong' }
  expect((await post(house, robot, '/introspect', { token: access_token }, credentials(wrong))).statusCode).toBe(401)
})
