import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { LocalSigningKey } from '../keys/local-signing-key.ts'
import { listKeys } from '../keys/signing-keys.ts'
import { configurationFor } from '../provider/configuration.ts'
import { KnownScopes } from '../provider/known-scopes.ts'
import { registerTokenExchange } from '../tokens/exchange/token-exchange.ts'

let testServer: TestServer
beforeAll(async () => {
  testServer = await startTestServer()
})
afterAll(() => testServer.close())

const discovery = async (name = 'openid-configuration') => (await testServer.app.inject(`/.well-known/${name}`)).json()

test('both documents are equal, public and name the issuer exactly', async () => {
  const answer = await testServer.app.inject('/.well-known/openid-configuration')
  expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=600' })
  expect(answer.json().issuer).toBe(testServer.config.url)
  expect(await discovery('oauth-authorization-server')).toEqual(answer.json())
})

test('equals the discovery document of oidc-provider except for native members', async () => {
  const keys = (await listKeys(testServer.deps)).map((key) => new LocalSigningKey(key))
  const scopes = new KnownScopes()
  const provider = new Provider(testServer.config.url, configurationFor({ config: testServer.config, keys, scopes }))
  registerTokenExchange(provider)
  const theirs = await documentOf(provider)
  const ours = await discovery()
  const sorted = (value: unknown) => (Array.isArray(value) ? [...value].sort() : value)
  // oidc-provider lists user codes with the rest of CIBA; people here have none.
  delete theirs.backchannel_user_code_parameter_supported
  for (const [name, value] of Object.entries(theirs)) {
    // oidc-provider does not list registered response modes.
    const listed = name === 'response_modes_supported' ? [...(value as string[]), 'web_message'] : value
    expect([name, sorted(ours[name])]).toEqual([name, sorted(listed)])
  }
  expect(
    Object.keys(ours)
      .filter((name) => !(name in theirs))
      .sort(),
  ).toEqual([
    'backchannel_user_code_parameter_supported',
    'client_id_metadata_document_supported',
    // oidc-provider has no front-channel logout.
    'frontchannel_logout_session_supported',
    'frontchannel_logout_supported',
    'introspection_endpoint_auth_methods_supported',
    'introspection_endpoint_auth_signing_alg_values_supported',
    'prompt_values_supported',
    'revocation_endpoint_auth_methods_supported',
    'revocation_endpoint_auth_signing_alg_values_supported',
    'ui_locales_supported',
  ])
})

test('every endpoint in it answers', async () => {
  const document = await discovery()
  for (const [name, address] of Object.entries(document)) {
    if (!name.endsWith('_endpoint') && name !== 'jwks_uri') continue
    const url = new URL(address as string).pathname
    const post = [
      'pushed_authorization_request_endpoint',
      'device_authorization_endpoint',
      'backchannel_authentication_endpoint',
      'token_endpoint',
      'introspection_endpoint',
      'revocation_endpoint',
    ].includes(name)
    const answer = await testServer.app.inject({ method: post ? 'POST' : 'GET', url })
    expect([name, answer.statusCode === 404 || answer.statusCode >= 500]).toEqual([name, false])
  }
})

async function documentOf(provider: Provider): Promise<Record<string, unknown>> {
  const server = createServer(provider.callback()).listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const headers = { host: 'localhost:3000' }
  const asked = request({ port, path: '/.well-known/openid-configuration', headers }).end()
  const [answer] = await once(asked, 'response')
  let text = ''
  for await (const chunk of answer) text += chunk
  server.close()
  return JSON.parse(text)
}
