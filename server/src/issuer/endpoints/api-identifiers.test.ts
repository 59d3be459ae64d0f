import { clients, scopes } from '@vrata/contract'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { relyingParty, signInBy, startListeningServer } from '../../../test/listening.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import type { SignedIn, TestServer } from '../../../test/test-server.ts'
import { allow, authorize, codeFor, post, type ThirdParty, userinfo } from '../../../test/third-party.ts'

/** Notes has an API with an identifier of its own, for one of its two scopes; Jadrolet signs users in. */
const API = 'https://api.notes.example/mcp'
let server: TestServer
let ana: SignedIn
let organization: Organization
let notes: ThirdParty
let jadrolet: ThirdParty
let resource_id: string
let rp: client.Configuration

beforeAll(async () => {
  server = await startListeningServer()
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
  notes = await organization.app({ name: 'Notes' })
  jadrolet = await organization.app()
  for (const key of ['notes.read', 'notes.write']) {
    good(await ana.call(scopes.defineScope, { id: notes.client_id, key, title: { 'en-US': key } }))
  }
  const api = { id: notes.client_id, identifier: API, name: 'Notes', scopes: ['notes.read'] }
  resource_id = good(await ana.call(scopes.addResource, api)).resource_id
  const asked = ['openid', 'profile', 'offline_access', 'notes.read', 'notes.write']
  good(await ana.call(clients.updateClientInfo, { id: jadrolet.client_id, scopes: asked }))
  await allow(ana, jadrolet, asked.join(' '))
  rp = await relyingParty(server, jadrolet.client_id, jadrolet.client_secret as string)
})
afterAll(() => server.close())

const signIn = (resource = API, scope = 'openid notes.read notes.write') =>
  signInBy(rp, ana, { scope, resource }, { tokenParams: { resource } })
const introspect = async (caller: ThirdParty, token: string) =>
  (await post(server, caller, '/introspect', { token })).json()

async function verified(token: string) {
  const keys = createRemoteJWKSet(new URL(`${server.config.url}/jwks`))
  return (await jwtVerify(token, keys, { issuer: server.config.url, audience: API, typ: 'at+jwt' })).payload
}

test('a request that names an API gets a JWT for this API alone, with those of its scopes that the user allows', async () => {
  const tokens = await signIn()
  expect(await verified(tokens.access_token)).toMatchObject({
    aud: API,
    sub: ana.user.id,
    client_id: jadrolet.client_id,
    scope: 'notes.read',
  })
  expect((await userinfo(server, tokens.access_token)).statusCode).toBe(401)
})

test('a request without openid, as MCP clients send it, gets the same', async () => {
  const tokens = await signIn(API, 'notes.read')
  expect(await verified(tokens.access_token)).toMatchObject({ scope: 'notes.read' })
})

test('a refresh token yields further tokens for the API', async () => {
  const { refresh_token = '' } = await signIn(API, 'openid offline_access notes.read')
  const renewed = await client.refreshTokenGrant(rp, refresh_token, { resource: API })
  expect(await verified(renewed.access_token)).toMatchObject({ scope: 'notes.read' })
})

test('a refused request uses up neither the refresh token nor the code', async () => {
  const { refresh_token = '' } = await signIn(API, 'openid offline_access notes.read')
  const { form } = await codeFor(ana, jadrolet, { scope: 'openid notes.read', resource: API })
  const enable = async (enabled: boolean) =>
    good(await ana.call(clients.updateClientInfo, { id: notes.client_id, enabled }))
  const ask = () => client.refreshTokenGrant(rp, refresh_token, { resource: API })
  const exchange = () => post(server, jadrolet, '/token', { ...form, resource: API })
  await enable(false)
  for (let time = 0; time < 2; time += 1) {
    await expect(ask()).rejects.toMatchObject({ error: 'invalid_target' })
    expect((await exchange()).json()).toMatchObject({ error: 'invalid_target' })
  }
  await enable(true)
  expect(await verified((await ask()).access_token)).toMatchObject({ scope: 'notes.read' })
  expect(await verified((await exchange()).json().access_token)).toMatchObject({ scope: 'notes.read' })
})

test('a service of the same organization gets a token for the API', async () => {
  const robot = await organization.app({ name: 'Robot', type: 'service' })
  good(await ana.call(clients.updateClientInfo, { id: robot.client_id, scopes: ['notes.read'] }))
  const service = await relyingParty(server, robot.client_id, robot.client_secret as string)
  const { access_token } = await client.clientCredentialsGrant(service, { scope: 'notes.read', resource: API })
  expect(await verified(access_token)).toMatchObject({ sub: robot.client_id })
})

test('the app that owns the identifier introspects the token, other apps do not', async () => {
  const { access_token } = await signIn()
  expect(await introspect(notes, access_token)).toMatchObject({ active: true, aud: API, scope: 'notes.read' })
  const stranger = await organization.app({ name: 'Stranger' })
  expect(await introspect(stranger, access_token)).toEqual({ active: false })
})

test('a request without a scope of the API gets no token', async () => {
  await expect(signIn(API, 'openid notes.write')).rejects.toMatchObject({ error: 'invalid_target' })
})

test('a slash after a bare host does not matter', async () => {
  const api = { id: notes.client_id, identifier: 'https://bare.example', name: 'Bare', scopes: ['notes.read'] }
  good(await ana.call(scopes.addResource, api))
  const tokens = await signIn('https://bare.example/', 'notes.read')
  const { payload } = await jwtVerify(tokens.access_token, createRemoteJWKSet(new URL(`${server.config.url}/jwks`)))
  expect(payload.aud).toBe('https://bare.example')
})

test('after the identifier is removed, requests are rejected, and its tokens are inactive', async () => {
  const { access_token, refresh_token = '' } = await signIn(API, 'openid offline_access notes.read')
  good(await ana.call(scopes.removeResource, { id: notes.client_id, resource_id }))
  const back = await authorize(ana, jadrolet, { scope: 'openid notes.read', resource: API })
  expect(back.searchParams.get('error')).toBe('invalid_target')
  const renewed = client.refreshTokenGrant(rp, refresh_token, { resource: API })
  await expect(renewed).rejects.toMatchObject({ error: 'invalid_target' })
  expect(await introspect(notes, access_token)).toEqual({ active: false })
  expect(await introspect(jadrolet, access_token)).toEqual({ active: false })
})
