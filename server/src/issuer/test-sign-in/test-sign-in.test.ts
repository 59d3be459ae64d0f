import { clientDiagnostics, clients, paths } from '@vrata/contract'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, authorize, post, proofKey, type ThirdParty } from '../../../test/third-party.ts'

let server: TestServer
let ana: SignedIn
let bor: SignedIn
let organization: Organization
let app: ThirdParty
let redirect_uri: string
beforeAll(async () => {
  server = await startTestServer()
  redirect_uri = server.config.url + paths.testSignIn
  ana = await server.as(people.ana)
  bor = await server.as(people.bor)
  organization = await createOrganization(server, ana)
})
beforeEach(async () => {
  app = await organization.app()
  await allow(ana, app)
})
afterAll(() => server?.close())

/** A code of a test sign-in of the user. */
async function testCode(person: SignedIn) {
  const { verifier: code_verifier, challenge } = proofKey()
  const back = await authorize(person, app, { redirect_uri, code_challenge: challenge, nonce: 'a nonce' })
  expect(back.origin + back.pathname).toBe(redirect_uri)
  return { code: back.searchParams.get('code') ?? String(back), code_verifier }
}
const complete = (person: SignedIn, code: { code: string; code_verifier: string }) =>
  person.call(clientDiagnostics.completeTestSignIn, { id: app.client_id, ...code })

describe('a test sign-in', () => {
  test('answers the claims that the app would receive, without tokens and without its secret', async () => {
    const answer = await complete(ana, await testCode(ana))
    expect(answer).toMatchObject({
      data: {
        error: null,
        scope: 'openid profile email',
        expires_in: 600,
        id_token: { header: { alg: expect.any(String) }, claims: { aud: app.client_id, nonce: 'a nonce' } },
        userinfo: { sub: ana.user.id, email: people.ana.email, given_name: people.ana.first_name },
      },
    })
    expect(JSON.stringify(answer)).not.toMatch(/"(access|refresh)_token"/)
    const { first_sign_in_at } = good(await ana.call(clients.getClientInfo, { id: app.client_id }))
    expect(first_sign_in_at).toBeNull()
  })

  test('works for an app with key authentication, DPoP, pushed and signed messages, and without a redirect URI', async () => {
    const { publicKey } = await generateKeyPair('ES256', { extractable: true })
    const { crv, x, y } = await exportJWK(publicKey)
    const id = app.client_id
    good(
      await ana.call(clients.updateAdvanced, {
        id,
        token_endpoint_auth_method: 'private_key_jwt',
        jwks: { keys: [{ kty: 'EC', crv, x, y, kid: 'test', alg: 'ES256' }] },
        dpop_bound_access_tokens: true,
        require_pushed_authorization_requests: true,
        require_signed_request_object: true,
        authorization_signed_response_alg: 'ES256',
        userinfo_signed_response_alg: 'ES256',
      }),
    )
    for (const uri of good(await ana.call(clients.listRedirectUris, { id }))) {
      good(await ana.call(clients.removeRedirectUri, { id, redirect_uri: uri }))
    }
    expect(await complete(ana, await testCode(ana))).toMatchObject({
      data: { error: null, userinfo: { sub: ana.user.id } },
    })
  })

  test('answers the error of the token endpoint with its reason', async () => {
    const { code } = await testCode(ana)
    expect(await complete(ana, { code, code_verifier: 'v'.repeat(43) })).toMatchObject({
      data: { error: { error: 'invalid_grant', reason: 'code_verifier' }, id_token: null, userinfo: null },
    })
    expect(await complete(ana, { code: 'unknown', code_verifier: 'v'.repeat(43) })).toMatchObject({
      data: { error: { error: 'invalid_grant', reason: 'code' } },
    })
  })

  test('does not answer a code of another user', async () => {
    await organization.join(bor, 'developer')
    const code = await testCode(ana)
    expect(await complete(bor, code)).toMatchObject({ problem: { code: 'not_found' } })
  })

  test('leaves client authentication of the token endpoint as it is', async () => {
    const { code, code_verifier } = await testCode(ana)
    const form = { grant_type: 'authorization_code', code, code_verifier, redirect_uri, client_id: app.client_id }
    const answer = await post(server, { ...app, client_secret: null }, '/token', form)
    expect(answer.statusCode).toBe(401)
    expect(answer.json()).toMatchObject({ error: 'invalid_client' })
  })
})
