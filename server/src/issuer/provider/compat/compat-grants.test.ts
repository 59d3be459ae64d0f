import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { type ClientMetadata, errors, Provider } from 'oidc-provider'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SELF_SIGNED } from '../../../../test/client-authentication/certificates.ts'
import { resourceServersOf, senderConstraintOf } from './compat-grants.ts'

// An instance of oidc-provider with a grant of ours, so that a failure means that the library has changed.

const GRANT = 'urn:example:grant'
const API = 'https://api.example/'
const certificate = new X509Certificate(Buffer.from(SELF_SIGNED, 'base64'))
let server: Server
let origin: string

beforeAll(async () => {
  const client = (client_id: string, metadata: Partial<ClientMetadata> = {}): ClientMetadata => ({
    client_id,
    client_secret: 'secret',
    redirect_uris: [],
    response_types: [],
    grant_types: [GRANT],
    ...metadata,
  })
  const provider = new Provider('https://issuer.example', {
    clients: [
      client('app'),
      client('dpop', { dpop_bound_access_tokens: true }),
      client('tls', { tls_client_certificate_bound_access_tokens: true }),
    ],
    scopes: ['openid', 'read'],
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: true },
      mTLS: {
        enabled: true,
        certificateBoundAccessTokens: true,
        getCertificate: (ctx) => (ctx.get('certificate') ? certificate : undefined),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (ctx) => (ctx.oidc.requestParamScopes.has('read') ? API : undefined) as string,
        getResourceServerInfo: (_, resource) => {
          if (resource !== API) throw new errors.InvalidTarget()
          return { scope: 'read', accessTokenFormat: 'opaque' }
        },
      },
    },
  })
  provider.proxy = true
  provider.registerGrantType(
    GRANT,
    async (ctx) => {
      const token = new ctx.oidc.provider.AccessToken({
        client: ctx.oidc.client,
        accountId: 'ana',
        grantId: 'grant',
        gty: 'test',
      })
      const constrain = await senderConstraintOf(ctx)
      await constrain?.(token)
      const resources = await resourceServersOf(ctx)
      ctx.body = {
        type: token.tokenType,
        jkt: token.jkt,
        x5t: token['x5t#S256'],
        resources: resources.map(({ scope }) => scope),
      }
    },
    ['scope', 'resource'],
    'resource',
  )
  const handle = provider.callback()
  server = createServer((request, response) => {
    Object.assign(request.headers, { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'issuer.example' })
    void handle(request, response)
  }).listen(0, 'localhost')
  await once(server, 'listening')
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

async function ask(id: string, headers: Record<string, string> = {}, form: Record<string, string> = {}) {
  const authorization = `Basic ${Buffer.from(`${id}:secret`).toString('base64')}`
  const body = new URLSearchParams({ grant_type: GRANT, ...form })
  const answer = await fetch(`${origin}/token`, { method: 'POST', body, headers: { authorization, ...headers } })
  return await answer.json()
}

async function proof() {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  const dpop = await new SignJWT({ jti: crypto.randomUUID(), htm: 'POST', htu: 'https://issuer.example/token' })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
    .setIssuedAt()
    .sign(privateKey)
  return { dpop, thumbprint: await calculateJwkThumbprint(jwk) }
}

test('senderConstraintOf: binds to the key of a DPoP proof, which is accepted once', async () => {
  expect(await ask('app')).toEqual({ type: 'Bearer', resources: [] })
  const { dpop, thumbprint } = await proof()
  expect(await ask('app', { dpop })).toEqual({ type: 'DPoP', jkt: thumbprint, resources: [] })
  expect(await ask('app', { dpop })).toMatchObject({ error: 'invalid_grant' })
  expect(await ask('app', { dpop: 'x' })).toMatchObject({ error: 'invalid_dpop_proof' })
})

test('senderConstraintOf: refuses a client that must bind its tokens and does not', async () => {
  for (const id of ['dpop', 'tls']) expect(await ask(id)).toMatchObject({ error: 'invalid_grant' })
})

test('senderConstraintOf: binds to the certificate of a client whose tokens must be bound', async () => {
  expect(await ask('tls', { certificate: 'presented' })).toMatchObject({ type: 'Bearer', x5t: expect.any(String) })
})

test('resourceServersOf: the named resource, the default of the scopes, or none', async () => {
  expect(await ask('app', {}, { resource: API })).toMatchObject({ resources: ['read'] })
  expect(await ask('app', {}, { scope: 'read' })).toMatchObject({ resources: ['read'] })
  expect(await ask('app', {}, { scope: 'openid' })).toMatchObject({ resources: [] })
  expect(await ask('app', {}, { resource: 'https://other.example/' })).toMatchObject({ error: 'invalid_target' })
})
