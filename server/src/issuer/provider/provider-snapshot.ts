import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JWK } from 'jose'
import { Provider } from 'oidc-provider'
import type { Config } from '../../config/config.ts'
import { recordSecretUse, verifyClientSecret } from '../../features/clients/public.ts'
import { recordClientErrors } from '../diagnostics/client-errors.ts'
import { discoveryOf } from '../endpoints/discovery.ts'
import { sidOf } from '../interactions/provider-session.ts'
import { sendWebMessage } from '../interactions/web-message.ts'
import { LocalSigningKey } from '../keys/local-signing-key.ts'
import { type PublishedKeys, publishedKeys } from '../keys/published-keys.ts'
import { ALGORITHMS, type Algorithm, keyStatesOf, type SigningKey } from '../keys/signing-keys.ts'
import { withRequest } from '../request/current-request.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { registerTokenExchange } from '../tokens/exchange/token-exchange.ts'
import { newTimedToken } from '../tokens/token-keys.ts'
import { ownMetadata, WEB_MESSAGE } from './clients/client-metadata.ts'
import { commitResponse } from './commit-response.ts'
import {
  includeSidFor,
  registerResponseMode,
  replaceSecretComparison,
  replaceSessionIds,
  replaceTokenValues,
  useLiveScopes,
} from './compat/compat.ts'
import { nameMissingResponseType } from './compat/compat-errors.ts'
import { acceptHintsOf } from './compat/compat-hints.ts'
import { trustForwardedOrigin } from './compat/compat-requests.ts'
import { configurationFor } from './configuration.ts'
import type { KnownScopes } from './known-scopes.ts'
import { listenToProviderEvents } from './provider-events.ts'

/** oidc-provider for one set of keys; replaced, never changed. Its scopes change in place (protocol §2.1). */
export interface ProviderSnapshot {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  scopes: KnownScopes
  /** Response of `/jwks`: public keys. */
  jwks: string
  publishedKeys: PublishedKeys
  /** The active key of each algorithm. */
  signers: ReadonlyMap<Algorithm, LocalSigningKey>
  discovery: string
  /** Differs when keys differ. */
  keyStates: string
  /** Differs when keys or their publication differ. */
  fingerprint: string
}

/** Creates oidc-provider for these keys, with our patches, listeners and middleware. */
export function createProviderSnapshot(
  config: Config,
  keys: readonly SigningKey[],
  scopes: KnownScopes,
): ProviderSnapshot {
  const signingKeys = keys.map((key) => new LocalSigningKey(key))
  const provider = new Provider(config.url, configurationFor({ config, keys: signingKeys, scopes }))
  useLiveScopes(provider, scopes.keys)
  trustForwardedOrigin(provider)
  registerResponseMode(provider, WEB_MESSAGE, withRequest(sendWebMessage))
  registerTokenExchange(provider)
  replaceSecretComparison(provider, withRequest(isClientSecretRight))
  replaceSessionIds(provider, sidOf)
  replaceTokenValues(
    provider,
    withRequest(({ now }) => newTimedToken(now)),
  )
  acceptHintsOf(provider, ALGORITHMS)
  nameMissingResponseType(provider)
  includeSidFor(provider, (client) => ownMetadata(client).frontchannel_logout_uri !== null)
  listenToProviderEvents(provider)
  recordClientErrors(provider)
  provider.use(commitResponse)
  const jwks = { keys: keys.filter(({ published }) => published).map(({ jwk }) => publicKeyOf(jwk)) }
  return {
    handle: provider.callback() as unknown as ProviderSnapshot['handle'],
    scopes,
    jwks: JSON.stringify(jwks),
    publishedKeys: publishedKeys(jwks),
    // The first of an algorithm signs, as in oidc-provider; later entries of a map would win.
    signers: new Map(signingKeys.toReversed().map((key) => [key.alg, key])),
    discovery: JSON.stringify(discoveryOf(config)),
    keyStates: keyStatesOf(
      keys,
      keys.some(({ alg, published }) => alg === 'EdDSA' && published),
    ),
    fingerprint: fingerprintOf(keys),
  }
}

/** Text that differs when an id or state of the keys differs. */
export function fingerprintOf(keys: readonly SigningKey[]): string {
  return keys.map(({ kid, state, published }) => `${kid}=${state}${published ? '' : ', private'}`).join(' ')
}

/** Compares a client secret with its stored hash and schedules the update of its last use (decision 0028). */
async function isClientSecretRight(
  { reads, now, finalWrites, keptWrites }: ProviderRequest,
  client_id: string,
  secret: string,
): Promise<boolean> {
  const client = await reads.client(client_id)
  if (!client) return false
  const which = verifyClientSecret(client, secret, now)
  const write = which === 'current' && recordSecretUse(client, now)
  if (write) {
    finalWrites.push(write)
    keptWrites.push(write)
  }
  return which !== undefined
}

function publicKeyOf({ d, p, q, dp, dq, qi, ...publicKey }: JWK): JWK {
  return publicKey
}
