import { clients, LIFETIMES } from '@vrata/contract'
import {
  type ClaimsParameter,
  type ClientMetadata,
  type Configuration,
  type ExternalSigningKey,
  errors,
  type KoaContextWithOIDC,
} from 'oidc-provider'
import type { Config } from '../config.ts'
import { cookieAttributes, cookieName } from '../edge/session-cookie.ts'
import { findAccount } from './accounts.ts'
import { ACR_VALUES, insistedOn } from './acr.ts'
import { adapterFor } from './adapter.ts'
import { SCOPE_CLAIMS } from './claims.ts'
import { resumeCookie, UNUSED_COOKIE } from './cookies.ts'
import { grantOfRequest } from './grants.ts'
import { ALGORITHMS } from './keys.ts'
import { ROUTES } from './paths.ts'
import { policy } from './policy.ts'
import { renderError } from './refusals.ts'
import { resourceAskedFor, resourceServer, type Scopes } from './resources.ts'
import { refreshLife, rotates } from './rotation.ts'
import { afterSignOut, askWhetherToSignOut } from './sign-out.ts'
import { claimsOfToken } from './token-claims.ts'

/** What of our row the engine's client carries besides its own metadata. */
export const OWN_METADATA = [
  'require_pkce',
  'require_nonce',
  'access_token_ttl',
  'refresh_token_ttl',
  'origins',
] as const
type OwnMetadata = {
  require_pkce: boolean
  require_nonce: boolean
  access_token_ttl: number
  refresh_token_ttl: number
  origins: string[]
}
const own = (client: unknown) => client as ClientMetadata & OwnMetadata

/** With what an app may sign what proves who it is (RFC 8725 §3.1: asymmetric only, and nothing old). */
export const PROOF_ALGORITHMS = ['ES256', 'RS256', 'PS256', 'EdDSA', 'Ed25519'] as const

/** Seconds for which what proves who an app is may be good at most; libraries make it good for a minute or a few. */
const PROOF_LIFE = 3600
/** Seconds by which clocks of apps may differ from ours: what is dated so far ahead must be taken (FAPI 2.0 §5.3.2.1). */
const CLOCK_TOLERANCE = 10

export type Settings = { config: Config; keys: ExternalSigningKey[]; scopes: Scopes }

/** Everything the engine is told. Whatever is not switched on here is off (oidc.md §4). */
export function configurationFor({ config, keys, scopes }: Settings): Configuration {
  const cookie = cookieAttributes(config)
  return {
    adapter: adapterFor(scopes),
    jwks: { keys },
    routes: ROUTES,
    scopes: [...scopes.keys()],
    // How and when the person signed in stands in every ID token, not only when asked for.
    claims: { ...mutable(SCOPE_CLAIMS), openid: ['sub', 'auth_time', 'acr', 'amr'], iss: null, sid: null },
    acrValues: [...ACR_VALUES],
    responseTypes: ['code'],
    clientAuthMethods: [...clients.AUTH_METHODS],
    assertJwtClientAuthClaimsAndHeader: onlyForUs,
    clientDefaults: { id_token_signed_response_alg: 'ES256', response_types: ['code'] },
    enabledJWA: {
      idTokenSigningAlgValues: [...ALGORITHMS],
      clientAuthSigningAlgValues: [...PROOF_ALGORITHMS],
      requestObjectSigningAlgValues: [...PROOF_ALGORITHMS],
      dPoPSigningAlgValues: [...PROOF_ALGORITHMS],
    },
    extraClientMetadata: { properties: [...OWN_METADATA], validator: () => undefined },
    subjectTypes: ['public'],
    findAccount,
    loadExistingGrant: grantOfRequest,
    extraTokenClaims: (_, token) => claimsOfToken(token, scopes),
    interactions: { policy: policy(), url: (_, interaction) => `${ROUTES.authorization}/${interaction.uid}` },
    cookies: {
      names: { session: cookieName(config, 'session'), interaction: UNUSED_COOKIE, resume: resumeCookie(config) },
      long: cookie,
      short: cookie,
    },
    pkce: { required: (ctx, client) => own(client).require_pkce || refuseWithoutNonce(ctx, own(client)) },
    clientBasedCORS: (_, origin, client) => own(client).origins.includes(origin),
    // Decision 0062: whom an app signs in gets a refresh token; it outlives the session only with `offline_access`.
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async (_, token) => !token.scopes.has('offline_access'),
    rotateRefreshToken: rotates,
    allowOmittingSingleRegisteredRedirectUri: false,
    conformIdTokenClaims: true,
    clockTolerance: CLOCK_TOLERANCE,
    ttl: {
      AccessToken: (_, __, client) => own(client).access_token_ttl,
      ClientCredentials: (_, __, client) => own(client).access_token_ttl,
      AuthorizationCode: LIFETIMES.authorization_code,
      IdToken: LIFETIMES.id_token,
      DeviceCode: LIFETIMES.device_code,
      Interaction: LIFETIMES.interaction,
      RefreshToken: (_, token, client) => refreshLife(token as { iiat?: number }, own(client).refresh_token_ttl),
      Session: LIFETIMES.session_idle,
      Grant: LIFETIMES.refresh_absolute,
    },
    features: {
      devInteractions: { enabled: false },
      // Its maker may change this with any version; the engine then refuses to start with this word for it.
      externalSigningSupport: { enabled: true, ack: 'experimental-01' },
      clientCredentials: { enabled: true },
      // Its pages are never reached: what a person types in and answers is ours (device-codes.ts).
      deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****' },
      dPoP: { enabled: true },
      pushedAuthorizationRequests: { enabled: true },
      requestObjects: { enabled: true, assertJwtClaimsAndHeader: refuseEverlasting },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (ctx, resource) => resourceServer(ctx, resource, scopes),
        defaultResource: async (ctx, _, granted) => (granted ?? (await resourceAskedFor(ctx, scopes))) as string,
      },
      // Both are answered by reads.ts from the same tables. The engine answers userinfo for tokens that are bound to a
      // key, and finds out who asks for an introspection by a key of its own; what it may hear is ours, too (answer.ts).
      userinfo: { enabled: true },
      introspection: { enabled: true, allowedPolicy: async () => false },
      claimsParameter: { enabled: true, assertClaimsParameter: refuseUnmeetable },
      revocation: { enabled: true, allowedPolicy: async (_, client, token) => token.clientId === client.clientId },
      // Sent by logout-tokens.ts, whatever ends a session; the engine, which knows no app of it, only names it in ID tokens.
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true, logoutSource: askWhetherToSignOut, postLogoutSuccessSource: afterSignOut },
    },
    renderError,
  }
}

/** A signed request must end, or whoever finds it could send it for ever (RFC 9101 §10.2). */
async function refuseEverlasting(_: KoaContextWithOIDC, claims: { exp?: unknown }): Promise<void> {
  if (claims.exp === undefined) throw new errors.InvalidRequestObject('exp is missing')
}

/** Nothing ties a code to the browser that asked for it: then `nonce` must (OAuth 2.1 §7.5.1). */
function refuseWithoutNonce(ctx: KoaContextWithOIDC, client: OwnMetadata): false {
  if (client.require_nonce && !ctx.oidc.params?.nonce) throw new errors.InvalidRequest('nonce is required')
  return false
}

/**
 * A proof that was made for another server, or for several, could be shown here by that one: `aud` is our name alone
 * (rfc7523bis §4; security.md §2).
 */
async function onlyForUs(ctx: KoaContextWithOIDC, { aud, exp }: { aud?: unknown; exp?: unknown }): Promise<void> {
  if (aud !== ctx.oidc.issuer) throw new errors.InvalidClientAuth('audience (aud) must be the issuer alone')
  // One that somebody else finds must soon be worth nothing (RFC 7523 §3); that it was shown is remembered as long.
  if (Number(exp) > Date.now() / 1000 + PROOF_LIFE)
    throw new errors.InvalidClientAuth('expiration (exp) is too far off')
}

/** An app that insists on an authentication context that we do not know must hear so (OpenID Connect Core §5.5.1.1). */
async function refuseUnmeetable(_: KoaContextWithOIDC, claims: ClaimsParameter): Promise<void> {
  for (const part of Object.values(claims)) {
    for (const wish of Object.values(part ?? {})) {
      if (wish !== null && (typeof wish !== 'object' || Array.isArray(wish))) {
        throw new errors.InvalidRequest('each claim must be null or an object')
      }
    }
  }
  if (insistedOn(claims)?.every((wanted) => !ACR_VALUES.some((known) => known === wanted))) {
    throw new errors.UnmetAuthenticationRequirements('the requested authentication context is not available')
  }
}

function mutable(claims: Record<string, readonly string[]>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(claims).map(([scope, names]) => [scope, [...names]]))
}
