import { clients, LIFETIMES } from '@vrata/contract'
import {
  type ClaimsParameter,
  type Client,
  type Configuration,
  type ExternalSigningKey,
  errors,
  type KoaContextWithOIDC,
} from 'oidc-provider'
import type { Config } from '../../config/config.ts'
import { STANDARD_SCOPES } from '../../features/scope-catalog/public.ts'
import { cookieAttributes } from '../../http/cookies.ts'
import { hasSubject } from '../certificates/certificate-subject.ts'
import { triggerAuthenticationDevice } from '../ciba/deliver-request.ts'
import { refuseLoginHintToken, userOfHint, validateBindingMessage } from '../ciba/hints.ts'
import { ACR_VALUES, essentialAcr } from '../interactions/acr.ts'
import { renderError } from '../interactions/error-page.ts'
import { loadExistingGrant } from '../interactions/grants.ts'
import { interactionPrompts } from '../interactions/policy.ts'
import { ALGORITHMS } from '../keys/signing-keys.ts'
import { logoutSource, postLogoutSuccessSource } from '../logout/rp-initiated-logout.ts'
import { ROUTES } from '../paths.ts'
import { withRequest } from '../request/current-request.ts'
import { findAccount } from '../tokens/accounts.ts'
import { SCOPE_CLAIMS } from '../tokens/claims.ts'
import { refreshTokenLifetime, rotateRefreshToken } from '../tokens/refresh-token-rotation.ts'
import { defaultResource, resourceServerInfo } from '../tokens/resources.ts'
import { extraTokenClaims } from '../tokens/token-claims.ts'
import { adapterFor } from './adapter.ts'
import { assertClientAssertion, assertRequestObject } from './clients/client-jwts.ts'
import { authMethodsOf, fapiProfile, OWN_METADATA, type OwnMetadata, ownMetadata } from './clients/client-metadata.ts'
import { providerCookieNames } from './compat/compat.ts'
import type { KnownScopes } from './known-scopes.ts'
import { IssuedToAnotherClient, withReason } from './provider-errors.ts'

/** Seconds by which clocks of clients may be ahead of ours (FAPI 2.0 §5.3.2.1). */
const CLOCK_TOLERANCE = 10

export type Settings = { config: Config; keys: ExternalSigningKey[]; scopes: KnownScopes }

/** The configuration of oidc-provider. Features that are not enabled here are off. Hooks get the current request first. */
export function configurationFor({ config, keys, scopes }: Settings): Configuration {
  const cookie = cookieAttributes(config)
  return {
    adapter: adapterFor(scopes),
    jwks: { keys },
    routes: ROUTES,
    // The provider's snapshot replaces them by a set that changes in place.
    scopes: [...STANDARD_SCOPES],
    // Authentication time, context and methods are in every ID token.
    claims: { ...mutable(SCOPE_CLAIMS), openid: ['sub', 'auth_time', 'acr', 'amr'], iss: null, sid: null },
    acrValues: [...ACR_VALUES],
    responseTypes: ['code'],
    clientAuthMethods: authMethodsOf(config),
    assertJwtClientAuthClaimsAndHeader: withRequest(assertClientAssertion),
    clientDefaults: { response_types: ['code'] },
    enabledJWA: {
      idTokenSigningAlgValues: [...ALGORITHMS],
      userinfoSigningAlgValues: [...ALGORITHMS],
      authorizationSigningAlgValues: [...ALGORITHMS],
      introspectionSigningAlgValues: [...ALGORITHMS],
      clientAuthSigningAlgValues: [...clients.CLIENT_SIGNING_ALGORITHMS],
      requestObjectSigningAlgValues: [...clients.CLIENT_SIGNING_ALGORITHMS],
      dPoPSigningAlgValues: [...clients.CLIENT_SIGNING_ALGORITHMS],
    },
    extraClientMetadata: { properties: [...OWN_METADATA], validator: () => undefined },
    subjectTypes: [...clients.SUBJECT_TYPES],
    pairwiseIdentifier: withRequest(({ deps }, _, user_id, client) => deps.subjects.of(ownMetadata(client), user_id)),
    // Validated with the settings of the client (sector.ts).
    sectorIdentifierUriValidate: () => false,
    findAccount: withRequest(findAccount),
    loadExistingGrant: withRequest(loadExistingGrant),
    extraTokenClaims: withRequest((request, ctx, token) => extraTokenClaims(request, ctx, token, scopes)),
    interactions: {
      policy: interactionPrompts(),
      url: (_, interaction) => `${ROUTES.authorization}/${interaction.uid}`,
    },
    cookies: {
      names: providerCookieNames(config),
      long: cookie,
      short: cookie,
    },
    pkce: { required: (ctx, client) => isPkceRequired(ctx, ownMetadata(client)) },
    clientBasedCORS: (_, origin, client) => ownMetadata(client).origins.includes(origin),
    // Every client gets a refresh token, which outlives the session only with `offline_access` (decision 0035).
    issueRefreshToken: withRequest(
      async ({ options }, _, client) => !options.test && client.grantTypeAllowed('refresh_token'),
    ),
    expiresWithSession: async (_, token) => !token.scopes.has('offline_access'),
    rotateRefreshToken: withRequest(rotateRefreshToken),
    allowOmittingSingleRegisteredRedirectUri: false,
    // `findAccount` decides which claims an ID token has.
    conformIdTokenClaims: false,
    clockTolerance: CLOCK_TOLERANCE,
    ttl: {
      AccessToken: (_, __, client) => ownMetadata(client).access_token_ttl,
      ClientCredentials: (_, __, client) => ownMetadata(client).access_token_ttl,
      AuthorizationCode: LIFETIMES.authorization_code,
      IdToken: LIFETIMES.id_token,
      DeviceCode: LIFETIMES.device_code,
      BackchannelAuthenticationRequest: (ctx) =>
        Math.min(LIFETIMES.ciba_request, Number(ctx.oidc.params?.requested_expiry ?? LIFETIMES.ciba_request)),
      Interaction: LIFETIMES.interaction,
      RefreshToken: (_, token, client) =>
        refreshTokenLifetime(token as { iiat?: number }, ownMetadata(client).refresh_token_ttl),
      Session: LIFETIMES.session_idle,
      Grant: LIFETIMES.refresh_absolute,
    },
    features: {
      devInteractions: { enabled: false },
      // Experimental: a version that changes it names another value here and does not start with this one.
      externalSigningSupport: { enabled: true, ack: 'experimental-01' },
      clientCredentials: { enabled: true },
      // Its pages are never served; users answer on ours (device-requests.ts).
      deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****' },
      // Users answer on our pages (ciba-requests.ts); a job notifies the client (notify-client.ts).
      ciba: {
        enabled: true,
        deliveryModes: [...clients.DELIVERY_MODES],
        processLoginHint: withRequest(userOfHint),
        processLoginHintToken: refuseLoginHintToken,
        validateBindingMessage,
        // Ignored: people are shown the binding message alone, and have no user codes.
        validateRequestContext: async () => undefined,
        verifyUserCode: async () => undefined,
        triggerAuthenticationDevice: withRequest(triggerAuthenticationDevice),
      },
      dPoP: { enabled: true },
      mTLS: {
        enabled: config.mtls !== undefined,
        certificateBoundAccessTokens: true,
        selfSignedTlsClientAuth: true,
        tlsClientAuth: config.mtls?.verified_header !== undefined,
        getCertificate: withRequest(({ options }) => options.certificate?.certificate),
        certificateAuthorized: withRequest(({ options }) => options.certificate?.verified === true),
        certificateSubjectMatches: withRequest(({ options }, _, property, expected) =>
          options.certificate ? hasSubject(options.certificate.certificate, property, expected) : false,
        ),
      },
      pushedAuthorizationRequests: { enabled: true },
      fapi: { enabled: true, profile: (_, client) => fapiProfile(client) },
      jwtResponseModes: { enabled: true },
      jwtUserinfo: { enabled: true },
      requestObjects: { enabled: true, assertJwtClaimsAndHeader: assertRequestObject },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: withRequest((request, ctx, resource, client) =>
          resourceServerInfo(request, ctx, resource, client.clientId, scopes),
        ),
        defaultResource: withRequest(
          async (request, ctx, _, granted) => (granted ?? (await defaultResource(request, ctx, scopes))) as string,
        ),
      },
      // Answered natively (native-endpoints.ts), except userinfo for DPoP-bound tokens and as a JWT, and introspection by a client
      // that authenticates with a client assertion, whose response `commitResponse` replaces.
      userinfo: { enabled: true },
      jwtIntrospection: { enabled: true },
      introspection: { enabled: true, allowedPolicy: async () => false },
      claimsParameter: { enabled: true, assertClaimsParameter: assertClaims },
      revocation: { enabled: true, allowedPolicy: assertIssuedTo },
      // Adds `sid` to ID tokens. Logout tokens are sent by a job (backchannel-logout.ts).
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: withRequest(logoutSource),
        postLogoutSuccessSource: withRequest(postLogoutSuccessSource),
      },
    },
    renderError: withRequest(renderError),
  }
}

/** Without PKCE, `nonce` binds the code to the browser that requested it, where the client demands it (OAuth 2.1 §7.5.1). */
function isPkceRequired(ctx: KoaContextWithOIDC, client: OwnMetadata): boolean {
  if (client.require_pkce) return true
  if (client.require_nonce && !ctx.oidc.params?.nonce) throw new errors.InvalidRequest('nonce is required')
  return false
}

/** Hook `revocation.allowedPolicy`. */
async function assertIssuedTo(
  _: KoaContextWithOIDC,
  { clientId }: Pick<Client, 'clientId'>,
  token: { clientId?: string | undefined },
): Promise<boolean> {
  if (token.clientId === clientId) return true
  throw new IssuedToAnotherClient()
}

/** Rejects malformed claims, and an essential `acr` that no session can meet (OpenID Connect Core §5.5.1.1). */
async function assertClaims(_: KoaContextWithOIDC, claims: ClaimsParameter): Promise<void> {
  for (const part of Object.values(claims)) {
    for (const claim of Object.values(part ?? {})) {
      if (claim !== null && (typeof claim !== 'object' || Array.isArray(claim))) {
        throw new errors.InvalidRequest('each claim must be null or an object')
      }
    }
  }
  if (essentialAcr(claims)?.every((value) => !ACR_VALUES.some((known) => known === value))) {
    const error = new errors.UnmetAuthenticationRequirements(
      'the requested authentication context (acr) is not available',
    )
    throw withReason('authorization_request', error)
  }
}

function mutable(claims: Record<string, readonly string[]>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(claims).map(([scope, names]) => [scope, [...names]]))
}
