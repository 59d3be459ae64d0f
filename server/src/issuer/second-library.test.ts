import { clients, scopes } from '@vrata/contract'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { House, SignedIn } from '../../test/house.ts'
import { openListening } from '../../test/listening.ts'
import { type Organisation, openOrganisation } from '../../test/organisation.ts'
import { jadrolet, people } from '../../test/people.ts'
import { allow, follow, here, type ThirdParty } from '../../test/third-party.ts'

/** A library that does one step at a time and checks every answer against its RFC, field by field. */
let house: House
let ana: SignedIn
let organisation: Organisation
let server: oauth.AuthorizationServer
// The house listens on a loopback address.
const plain = { [oauth.allowInsecureRequests]: true }
const { redirect_uri } = jadrolet

beforeAll(async () => {
  house = await openListening()
  ana = await house.as(people.ana)
  organisation = await openOrganisation(house, ana)
  const issuer = new URL(house.config.url)
  server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, plain))
})
afterAll(() => house.close())

async function appWith(changes: Partial<clients.Advanced> = {}): Promise<ThirdParty> {
  const app = await organisation.app()
  expect(await ana.call(clients.updateAdvanced, { id: app.client_id, ...changes })).toMatchObject({ ok: true })
  await allow(ana, app)
  return app
}

/** The code flow with every check of the library, its request sent ahead. */
async function codeOf(app: ThirdParty, proof: oauth.ClientAuth, wishes: Record<string, string> = {}) {
  const client: oauth.Client = { client_id: app.client_id }
  const verifier = oauth.generateRandomCodeVerifier()
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
  const request = new URLSearchParams({
    response_type: 'code',
    redirect_uri,
    scope: 'openid profile email',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...wishes,
  })
  const answer = await oauth.pushedAuthorizationRequest(server, client, proof, request, plain)
  const { request_uri } = await oauth.processPushedAuthorizationResponse(server, client, answer)
  const url = new URL(server.authorization_endpoint as string)
  url.search = `${new URLSearchParams({ client_id: app.client_id, request_uri })}`
  const back = oauth.validateAuthResponse(server, client, await follow(ana, here(url)), state)
  return { client, verifier, nonce, back }
}

describe('an app built on oauth4webapi', () => {
  test('sends its request ahead, takes the code, checks the ID token’s signature, reads, refreshes, revokes', async () => {
    const app = await appWith()
    const proof = oauth.ClientSecretPost(app.client_secret as string)
    const { client, verifier, nonce, back } = await codeOf(app, proof, { max_age: '600' })
    const answer = await oauth.authorizationCodeGrantRequest(server, client, proof, back, redirect_uri, verifier, plain)
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, {
      expectedNonce: nonce,
      maxAge: 600,
      requireIdToken: true,
    })
    await oauth.validateApplicationLevelSignature(server, answer, plain)
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    expect(claims).toMatchObject({ sub: ana.user.id, amr: ['pwd'] })

    const info = await oauth.userInfoRequest(server, client, tokens.access_token, plain)
    const person = await oauth.processUserInfoResponse(server, client, ana.user.id, info)
    expect(person).toMatchObject({ name: 'Ana Kovač', email: people.ana.email, email_verified: true })

    const refresh = await oauth.refreshTokenGrantRequest(server, client, proof, tokens.refresh_token as string, plain)
    const next = await oauth.processRefreshTokenResponse(server, client, refresh)
    const asked = await oauth.introspectionRequest(server, client, proof, next.access_token, plain)
    expect(await oauth.processIntrospectionResponse(server, client, asked)).toMatchObject({ active: true })
    const revoked = await oauth.revocationRequest(server, client, proof, next.refresh_token as string, plain)
    expect(await oauth.processRevocationResponse(revoked)).toBeUndefined()
    const gone = await oauth.introspectionRequest(server, client, proof, next.access_token, plain)
    expect(await oauth.processIntrospectionResponse(server, client, gone)).toEqual({ active: false })
  })

  test('proves itself by a key and binds its tokens to another', async () => {
    const own = await oauth.generateKeyPair('ES256', { extractable: true })
    const jwk = { ...(await crypto.subtle.exportKey('jwk', own.publicKey)), kid: 'own' }
    const app = await appWith({
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [jwk as never] },
      dpop_bound_access_tokens: true,
    })
    // The audience that RFC 7523bis wants is the issuer alone.
    const proof = oauth.PrivateKeyJwt({ key: own.privateKey, kid: 'own' })
    const { client, verifier, nonce, back } = await codeOf(app, proof)
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'))
    const bound = { ...plain, DPoP }
    const answer = await oauth.authorizationCodeGrantRequest(server, client, proof, back, redirect_uri, verifier, bound)
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, { expectedNonce: nonce })
    expect(tokens.token_type).toBe('dpop')
    const info = await oauth.userInfoRequest(server, client, tokens.access_token, bound)
    expect((await oauth.processUserInfoResponse(server, client, ana.user.id, info)).email).toBe(people.ana.email)
  })

  test('gets a token that an API checks by itself (RFC 9068)', async () => {
    const notes = await organisation.app({ name: 'Notes' })
    await ana.call(clients.updateAdvanced, { id: notes.client_id, access_token_format: 'jwt' })
    await ana.call(scopes.putScope, { id: notes.client_id, key: 'notes.read', title: { 'en-US': 'Read notes' } })
    const robot = await organisation.app({ name: 'Robot', type: 'service' })
    await ana.call(clients.updateClientInfo, { id: robot.client_id, scopes: ['notes.read'] })

    const client = { client_id: robot.client_id }
    const proof = oauth.ClientSecretBasic(robot.client_secret as string)
    const resource = `${house.config.url}/resources/${notes.client_id}`
    const wish = { resource, scope: 'notes.read' }
    const granted = await oauth.clientCredentialsGrantRequest(server, client, proof, wish, plain)
    const { access_token } = await oauth.processClientCredentialsResponse(server, client, granted)
    const call = () => new Request(resource, { headers: { authorization: `Bearer ${access_token}` } })
    const claims = await oauth.validateJwtAccessToken(server, call(), resource, plain)
    expect(claims).toMatchObject({ client_id: robot.client_id, sub: robot.client_id, scope: 'notes.read' })
    await expect(oauth.validateJwtAccessToken(server, call(), `${resource}-other`, plain)).rejects.toThrow()
  })

  test('hears every refusal in the words of the standard', async () => {
    const app = await appWith()
    const client = { client_id: app.client_id }
    const wrong = oauth.ClientSecretBasic('wrong')
    const refused = await oauth.refreshTokenGrantRequest(server, client, wrong, 'nothing', plain)
    // A challenge is an error of its own there, which does not read the body.
    expect(await refused.clone().json()).toMatchObject({ error: 'invalid_client' })
    const scheme = [expect.objectContaining({ scheme: 'basic' })]
    const challenge = oauth.processRefreshTokenResponse(server, client, refused)
    await expect(challenge).rejects.toMatchObject({ status: 401, cause: scheme })
    const proof = oauth.ClientSecretBasic(app.client_secret as string)
    const { back, verifier } = await codeOf(app, proof)
    for (const [uri, key] of [
      [`${redirect_uri}/other`, verifier],
      [redirect_uri, oauth.generateRandomCodeVerifier()],
    ] as const) {
      const answer = await oauth.authorizationCodeGrantRequest(server, client, proof, back, uri, key, plain)
      await expect(oauth.processAuthorizationCodeResponse(server, client, answer)).rejects.toMatchObject({
        error: 'invalid_grant',
      })
    }
  })
})
