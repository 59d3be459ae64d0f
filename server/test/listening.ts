import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import * as client from 'openid-client'
import { type House, openHouse, type SignedIn } from './house.ts'
import { jadrolet } from './people.ts'
import { follow, here } from './third-party.ts'

/** A house on a port of its own, for libraries that speak HTTP; its people's browsers still call it directly. */
export async function openListening(settings: Record<string, string> = {}): Promise<House> {
  // The issuer must know its address before it listens.
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  const house = await openHouse({
    VRATA_URL: `http://localhost:${port}`,
    VRATA_WEB_ORIGINS: 'http://localhost:3000',
    ...settings,
  })
  await house.app.listen({ port, host: 'localhost' })
  return house
}

/** Somebody else's certified library, which finds everything out by itself. */
export function relyingParty(
  house: House,
  client_id: string,
  metadata?: Partial<client.ClientMetadata> | string,
  proof?: client.ClientAuth,
): Promise<client.Configuration> {
  const execute = [client.allowInsecureRequests]
  return client.discovery(new URL(house.config.url), client_id, metadata, proof, { execute })
}

/** Signs a person in who has allowed the app: the code flow as the library does it. */
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
