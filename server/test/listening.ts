import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import * as client from 'openid-client'
import { jadrolet } from './people.ts'
import { type SignedIn, startTestServer, type TestServer } from './test-server.ts'
import { follow, here } from './third-party.ts'

/** A test server that listens on a port, for libraries that need HTTP; test browsers still call it by injection. */
export async function startListeningServer(settings: Record<string, string> = {}): Promise<TestServer> {
  // The issuer must know its address before it listens.
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  const testServer = await startTestServer({
    VRATA_URL: `http://localhost:${port}`,
    VRATA_WEB_ORIGINS: 'http://localhost:3000',
    ...settings,
  })
  await testServer.app.listen({ port, host: 'localhost' })
  return testServer
}

/** A relying party of `openid-client`, configured by discovery. */
export function relyingParty(
  testServer: TestServer,
  client_id: string,
  metadata?: Partial<client.ClientMetadata> | string,
  authentication?: client.ClientAuth,
): Promise<client.Configuration> {
  const execute = [client.allowInsecureRequests]
  return client.discovery(new URL(testServer.config.url), client_id, metadata, authentication, { execute })
}

/** Signs in a user who has granted the scopes, with the library's authorization code flow. */
export async function signInBy(
  rp: client.Configuration,
  person: Pick<SignedIn, 'request'>,
  params: Record<string, string> = {},
  options: client.AuthorizationCodeGrantOptions & { tokenParams?: Record<string, string> } = {},
) {
  const { url, checks } = await beginBy(rp, params)
  const back = await follow(person, here(url))
  const { tokenParams, ...rest } = options
  return client.authorizationCodeGrant(rp, back, checks, tokenParams, rest)
}

export async function beginBy(rp: client.Configuration, params: Record<string, string> = {}) {
  const code_verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const url = client.buildAuthorizationUrl(rp, {
    redirect_uri: jadrolet.redirect_uri,
    scope: 'openid profile email',
    code_challenge: await client.calculatePKCECodeChallenge(code_verifier),
    code_challenge_method: 'S256',
    state,
    ...params,
  })
  return { url, checks: { pkceCodeVerifier: code_verifier, expectedState: state } }
}
