import { setTimeout as pause } from 'node:timers/promises'
import { clients, connections } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { escapedPem, JADROLET } from '../../../test/client-authentication/certificates.ts'
import { untilLockIsAwaited } from '../../../test/databases/until-lock-is-awaited.ts'
import { createOrganization, type Organization } from '../../../test/organization.ts'
import { jadrolet, people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { allow, codeFor, post, refresh, signInTo, type ThirdParty } from '../../../test/third-party.ts'

/** Rows that a token request has read may end before it commits. */
let server: TestServer
let ana: SignedIn
let organization: Organization
let app: ThirdParty
beforeAll(async () => {
  server = await startTestServer({
    VRATA_MTLS_HEADER: 'X-Client-Cert pem',
    VRATA_MTLS_VERIFIED_HEADER: 'X-Client-Verify',
  })
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
  app = { ...(await organization.app()), redirect_uri: jadrolet.redirect_uri }
  await allow(ana, app)
})
afterAll(() => server.close())

type Answer = Awaited<ReturnType<typeof post>>

/** Both requests read the tokens of the app; then the first one commits, and then the second. */
async function inOrder(first: () => Promise<Answer>, second: () => Promise<Answer>): Promise<Answer> {
  const held = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = server.store.transaction(async ({ db }) => {
    const connections = db.selectFrom('connections').select('id').where('client_id', '=', app.client_id)
    await connections.forUpdate().execute()
    held.resolve()
    await release.promise
  })
  await held.promise
  const operations = server.store.load().operations
  const revoked = first()
  await expect.poll(() => server.store.load().operations).toBe(operations + 1)
  await untilLockIsAwaited(server)
  const used = second()
  await expect.poll(() => server.store.load().operations).toBe(operations + 2)
  await pause(100)
  release.resolve()
  await holding
  expect((await revoked).statusCode).toBe(200)
  return await used
}

test('a refresh token that is not replaced gives nothing more once it is revoked', async () => {
  good(
    await ana.call(clients.updateAdvanced, {
      id: app.client_id,
      token_endpoint_auth_method: 'tls_client_auth',
      tls_client_auth_subject_dn: 'CN=Jadrolet,OU=apps+UID=7,O=Čoln\\, d.o.o.,C=SI',
      tls_client_certificate_bound_access_tokens: true,
    }),
  )
  const headers = { 'x-client-cert': escapedPem(JADROLET), 'x-client-verify': 'SUCCESS' }
  const { form } = await codeFor(ana, app)
  const { refresh_token } = (await post(server, app, '/token', form, headers)).json()
  const answer = await inOrder(
    () => post(server, app, '/revoke', { token: refresh_token }, headers),
    () => post(server, app, '/token', { grant_type: 'refresh_token', refresh_token }, headers),
  )
  expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_grant'])
})

test('an access token is exchanged for none once it is revoked', async () => {
  app = { ...(await organization.app()), redirect_uri: jadrolet.redirect_uri }
  await allow(ana, app)
  const service = await organization.app({ type: 'service' })
  good(await ana.call(clients.updateClientInfo, { id: service.client_id, scopes: ['openid', 'profile', 'email'] }))
  const { access_token } = await signInTo(server, ana, app)
  const exchange = {
    grant_type: clients.TOKEN_EXCHANGE_GRANT,
    subject_token: access_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  }
  const answer = await inOrder(
    () => post(server, app, '/revoke', { token: access_token }),
    () => post(server, service, '/token', exchange),
  )
  expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_request'])
})

test('an access token that is made while its scope is revoked does not get it back when it is granted again', async () => {
  const other = await organization.app()
  await allow(ana, other)
  const { refresh_token } = await signInTo(server, ana, other)
  // After another app has sent it, the server does not remember it and reads (decision 0097).
  expect((await refresh(server, app, refresh_token)).statusCode).toBe(400)
  // The scopes have been read, and nothing is written.
  const { together } = server.deps
  server.deps.together = async (...given) => {
    server.deps.together = together
    good(await ana.call(connections.revokeScope, { client: other.client_id, key: 'email' }))
    return await together(...given)
  }
  const { access_token } = (await refresh(server, other, refresh_token)).json()
  expect(server.deps.together).toBe(together)
  const introspected = async () => (await post(server, other, '/introspect', { token: access_token })).json()
  expect(await introspected()).toMatchObject({ active: true, scope: 'openid profile' })
  await allow(ana, other)
  expect(await introspected()).toEqual({ active: false })
})
