import { clients } from '@vrata/contract'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  CLIENT_AUTHENTICATION_CASES,
  type ClientKind,
  type Outcome,
} from '../../../test/client-authentication/client-authentication-cases.ts'
import type { AuthenticatingClient, Credentials } from '../../../test/client-authentication/client-credentials.ts'
import { createOrganization } from '../../../test/organization.ts'
import { jadrolet, people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { proofKey } from '../../../test/third-party.ts'

let server: TestServer
let prepared: Record<ClientKind, AuthenticatingClient>

beforeAll(async () => {
  server = await startTestServer()
  const ana = await server.as(people.ana)
  const organization = await createOrganization(server, ana)
  // Native, because only these clients may use all of the endpoints.
  const create = async (settings: Partial<clients.Advanced>): Promise<AuthenticatingClient> => {
    const { client_id } = await organization.app({ type: 'native' })
    good(await ana.call(clients.updateAdvanced, { id: client_id, ...settings }))
    return await withSecrets(ana, client_id)
  }
  const withKey = async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const jwks = { keys: [(await exportJWK(publicKey)) as never] }
    return { ...(await create({ token_endpoint_auth_method: 'private_key_jwt', jwks })), privateKey }
  }
  const disabled = await create({ require_client_secret: true })
  good(await ana.call(clients.updateClientInfo, { id: disabled.client_id, enabled: false }))
  prepared = {
    secret: await create({ require_client_secret: true }),
    public: { ...disabled, client_id: (await organization.app({ type: 'native' })).client_id },
    optional_secret: await create({ require_client_secret: false }),
    key: await withKey(),
    disabled,
    unknown: { ...disabled, client_id: 'vrt_unknown' },
  }
})
afterAll(() => server.close())

async function withSecrets(ana: SignedIn, id: string): Promise<AuthenticatingClient> {
  const former = good(await ana.call(clients.regenerateSecret, { id }))
  const current = good(await ana.call(clients.regenerateSecret, { id, grace: true }))
  const { privateKey } = await generateKeyPair('ES256')
  return {
    client_id: id,
    client_secret: current.client_secret,
    previous_secret: former.client_secret,
    issuer: server.config.url,
    privateKey,
  }
}

/** Endpoints of oidc-provider, and what each answers to an authenticated client. */
const PROVIDER_ENDPOINTS: [
  url: string,
  form: (client_id: string | undefined) => Record<string, string>,
  accepted: object,
][] = [
  [
    '/token',
    () => ({ grant_type: 'refresh_token', refresh_token: 'unknown' }),
    { status: 400, error: 'invalid_grant' },
  ],
  [
    '/par',
    // The authorization request itself needs a client_id (RFC 9126 §2.1).
    (client_id) => ({
      ...(client_id ? { client_id } : {}),
      response_type: 'code',
      redirect_uri: jadrolet.redirect_uri,
      scope: 'openid',
      code_challenge: proofKey().challenge,
      code_challenge_method: 'S256',
    }),
    { status: 201 },
  ],
  ['/revoke', () => ({ token: 'unknown' }), { status: 200 }],
  ['/device_authorization', () => ({ scope: 'openid' }), { status: 200 }],
]

async function send(url: string, form: Record<string, string>, { authorization, form: credentials = [] }: Credentials) {
  const response = await server.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...(authorization ? { authorization } : {}) },
    payload: new URLSearchParams([
      ...Object.entries(form).filter(([name]) => !credentials.some(([given]) => given === name)),
      ...credentials,
    ]).toString(),
  })
  const body = response.body ? response.json() : {}
  return { status: response.statusCode, error: body.error, active: body.active }
}

function responseOf(outcome: Outcome, accepted: object): object {
  if (outcome === 'authenticated') return accepted
  const [status, error] = outcome
  return { status, error }
}

describe.each(PROVIDER_ENDPOINTS)('client authentication at %s', (url, form, accepted) => {
  test.each(CLIENT_AUTHENTICATION_CASES)('$title: $outcome', async ({ client, credentials, outcome, replayed }) => {
    const presented = await credentials(prepared[client])
    const params = form(presented.authorization || presented.form ? prepared[client].client_id : undefined)
    if (replayed) expect(await send(url, params, presented)).toMatchObject(accepted)
    expect(await send(url, params, presented)).toMatchObject(responseOf(outcome, accepted))
  })
})

describe('client authentication at /introspect', () => {
  const accepted = { status: 200, active: false }
  test.each(CLIENT_AUTHENTICATION_CASES)(
    '$title',
    async ({ client, credentials, outcome, introspection, replayed }) => {
      const presented = await credentials(prepared[client])
      const form = { token: 'unknown' }
      if (replayed) expect(await send('/introspect', form, presented)).toMatchObject(accepted)
      expect(await send('/introspect', form, presented)).toMatchObject(responseOf(introspection ?? outcome, accepted))
    },
  )
})
