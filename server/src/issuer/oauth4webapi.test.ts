import { clients, scopes } from '@vrata/contract'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startListeningServer } from '../../test/listening.ts'
import { createOrganization, type Organization } from '../../test/organization.ts'
import { jadrolet, people } from '../../test/people.ts'
import type { SignedIn, TestServer } from '../../test/test-server.ts'
import { allow, follow, here, type ThirdParty } from '../../test/third-party.ts'

/** oauth4webapi makes one step at a time and validates each response against its RFC. */
let testServer: TestServer
let ana: SignedIn
let organization: Organization
let server: oauth.AuthorizationServer
// The test server listens on a loopback address.
const plain = { [oauth.allowInsecureRequests]: true }
const { redirect_uri } = jadrolet

beforeAll(async () => {
  testServer = await startListeningServer()
  ana = await testServer.as(people.ana)
  organization = await createOrganization(testServer, ana)
  const issuer = new URL(testServer.config.url)
  server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, plain))
})
afterAll(() => testServer.close())

async function clientWith(changes: Partial<clients.Advanced> = {}): Promise<ThirdParty> {
  const app = await organization.app()
  expect(await ana.call(clients.updateAdvanced, { id: app.client_id, ...changes })).toMatchObject({ ok: true })
  await allow(ana, app)
  return app
}

/** The code flow with a pushed request and all validations of the library. */
async function codeOf(app: ThirdParty, authentication: oauth.ClientAuth, wishes: Record<string, string> = {}) {
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
  const answer = await oauth.pushedAuthorizationRequest(server, client, authentication, request, plain)
  const { request_uri } = await oauth.processPushedAuthorizationResponse(server, client, answer)
  const url = new URL(server.authorization_endpoint as string)
  url.search = `${new URLSearchParams({ client_id: app.client_id, request_uri })}`
  const back = oauth.validateAuthResponse(server, client, await follow(ana, here(url)), state)
  return { client, verifier, nonce, back }
}

describe('a client built on oauth4webapi', () => {
  test('pushes its request, redeems the code, verifies the ID token, reads, refreshes and revokes', async () => {
    const app = await clientWith()
    const authentication = oauth.ClientSecretPost(app.client_secret as string)
    const { client, verifier, nonce, back } = await codeOf(app, authentication, { max_age: '600' })
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      back,
      redirect_uri,
      verifier,
      plain,
    )
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

    const refresh = await oauth.refreshTokenGrantRequest(
      server,
      client,
      authentication,
      tokens.refresh_token as string,
      plain,
    )
    const next = await oauth.processRefreshTokenResponse(server, client, refresh)
    const asked = await oauth.introspectionRequest(server, client, authentication, next.access_token, plain)
    expect(await oauth.processIntrospectionResponse(server, client, asked)).toMatchObject({ active: true })
    const revoked = await oauth.revocationRequest(server, client, authentication, next.refresh_token as string, plain)
    expect(await oauth.processRevocationResponse(revoked)).toBeUndefined()
    const gone = await oauth.introspectionRequest(server, client, authentication, next.access_token, plain)
    expect(await oauth.processIntrospectionResponse(server, client, gone)).toEqual({ active: false })
  })

  test('authenticates with a key and binds its tokens to another one', async () => {
    const own = await oauth.generateKeyPair('ES256', { extractable: true })
    const jwk = { ...(await crypto.subtle.exportKey('jwk', own.publicKey)), kid: 'own' }
    const app = await clientWith({
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [jwk as never] },
      dpop_bound_access_tokens: true,
    })
    // The audience of RFC 7523bis is the issuer alone.
    const authentication = oauth.PrivateKeyJwt({ key: own.privateKey, kid: 'own' })
    const { client, verifier, nonce, back } = await codeOf(app, authentication)
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'))
    const bound = { ...plain, DPoP }
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      back,
      redirect_uri,
      verifier,
      bound,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, { expectedNonce: nonce })
    expect(tokens.token_type).toBe('dpop')
    const info = await oauth.userInfoRequest(server, client, tokens.access_token, bound)
    expect((await oauth.processUserInfoResponse(server, client, ana.user.id, info)).email).toBe(people.ana.email)
  })

  test('gets a JWT access token that an API verifies itself (RFC 9068)', async () => {
    const notes = await organization.app({ name: 'Notes' })
    await ana.call(clients.updateAdvanced, { id: notes.client_id, access_token_format: 'jwt' })
    await ana.call(scopes.defineScope, { id: notes.client_id, key: 'notes.read', title: { 'en-US': 'Read notes' } })
    const robot = await organization.app({ name: 'Robot', type: 'service' })
    await ana.call(clients.updateClientInfo, { id: robot.client_id, scopes: ['notes.read'] })

    const client = { client_id: robot.client_id }
    const authentication = oauth.ClientSecretBasic(robot.client_secret as string)
    const resource = `${testServer.config.url}/resources/${notes.client_id}`
    const wish = { resource, scope: 'notes.read' }
    const granted = await oauth.clientCredentialsGrantRequest(server, client, authentication, wish, plain)
    const { access_token } = await oauth.processClientCredentialsResponse(server, client, granted)
    const call = () => new Request(resource, { headers: { authorization: `Bearer ${access_token}` } })
    const claims = await oauth.validateJwtAccessToken(server, call(), resource, plain)
    expect(claims).toMatchObject({ client_id: robot.client_id, sub: robot.client_id, scope: 'notes.read' })
    await expect(oauth.validateJwtAccessToken(server, call(), `${resource}-other`, plain)).rejects.toThrow()
  })

  test('gets errors as the standards define them', async () => {
    const app = await clientWith()
    const client = { client_id: app.client_id }
    const wrong = oauth.ClientSecretBasic('wrong')
    const rejected = await oauth.refreshTokenGrantRequest(server, client, wrong, 'nothing', plain)
    // The library throws its own error for a challenge and does not read the body.
    expect(await rejected.clone().json()).toMatchObject({ error: 'invalid_client' })
    const scheme = [expect.objectContaining({ scheme: 'basic' })]
    const challenge = oauth.processRefreshTokenResponse(server, client, rejected)
    await expect(challenge).rejects.toMatchObject({ status: 401, cause: scheme })
    const authentication = oauth.ClientSecretBasic(app.client_secret as string)
    const { back, verifier } = await codeOf(app, authentication)
    for (const [uri, key] of [
      [`${redirect_uri}/other`, verifier],
      [redirect_uri, oauth.generateRandomCodeVerifier()],
    ] as const) {
      const answer = await oauth.authorizationCodeGrantRequest(server, client, authentication, back, uri, key, plain)
      await expect(oauth.processAuthorizationCodeResponse(server, client, answer)).rejects.toMatchObject({
        error: 'invalid_grant',
      })
    }
  })
})
