import { randomBytes } from 'node:crypto'
import { isLoopbackHostname } from '@vrata/contract/loopback'
import { parseCookie } from 'cookie'
import { decodeProtectedHeader } from 'jose'
import {
  type AdapterPayload,
  type BackchannelAuthenticationRequest,
  type ClientMetadata,
  type DeviceCode,
  type KoaContextWithOIDC,
  Provider,
  type RefreshToken,
} from 'oidc-provider'
// @ts-expect-error: internal and not typed
import instanceOf from 'oidc-provider/lib/helpers/weak_cache.js'
import type { Config } from '../../../config/config.ts'
import { cookieName } from '../../../http/cookies.ts'

// Everything that depends on undocumented behavior of oidc-provider. compat.test.ts has a test for each function, which
// fails when the library changes; docs/upstream-proposals.md says what would make it unnecessary.

type Oidc = KoaContextWithOIDC['oidc']

// --- Patched prototypes and members of the provider

/**
 * Depends on oidc-provider 9.x: the library asks `Client.prototype.compareClientSecret` whether a client secret is right,
 * and its clients have that prototype. Throws otherwise, because no client could authenticate.
 */
export function replaceSecretComparison(
  { Client }: Provider,
  isRight: (client_id: string, secret: string) => Promise<boolean>,
): void {
  const prototype = Client.prototype as unknown as { compareClientSecret(secret: string): Promise<boolean> }
  if (typeof prototype.compareClientSecret !== 'function') {
    throw new Error('oidc-provider: Client.prototype.compareClientSecret is missing')
  }
  prototype.compareClientSecret = function (this: { clientId: string }, secret) {
    return isRight(this.clientId, secret)
  }
  const client = new (Client as unknown as new (metadata: ClientMetadata) => object)({
    client_id: 'test',
    client_secret: 'test',
    redirect_uris: ['https://test.invalid/'],
    token_endpoint_auth_method: 'client_secret_basic',
  })
  if (Object.getPrototypeOf(client) !== prototype) {
    throw new Error('oidc-provider: clients do not have the prototype Client.prototype')
  }
}

/**
 * Depends on oidc-provider 9.x: `sid` of ID tokens comes from `Session.prototype.sidFor`. The library would store a random
 * one in its session, which is read-only (decision 0033).
 */
export function replaceSessionIds(
  { Session }: Provider,
  sidOf: (session_id: string, client_id: string) => string,
): void {
  const prototype = Session.prototype as unknown as { sidFor(client_id: string): string }
  if (typeof prototype.sidFor !== 'function') throw new Error('oidc-provider: Session.prototype.sidFor is missing')
  prototype.sidFor = function (this: { uid: string }, client_id) {
    return sidOf(this.uid, client_id)
  }
}

/**
 * Depends on oidc-provider 9.x: `generateTokenId` of a class makes the value of a new token. Replaced for codes and opaque tokens; the
 * value of a JWT is its `jti`.
 */
export function replaceTokenValues(provider: Provider, newValue: () => string): void {
  for (const kind of ['AuthorizationCode', 'AccessToken', 'RefreshToken', 'ClientCredentials'] as const) {
    const prototype = provider[kind].prototype as unknown as { format?: string; generateTokenId(): string }
    const { generateTokenId } = prototype
    if (typeof generateTokenId !== 'function') throw new Error(`oidc-provider: ${kind} has no generateTokenId`)
    prototype.generateTokenId = function () {
      const value = generateTokenId.call(this)
      return this.format === 'jwt' ? value : newValue()
    }
  }
}

/** Depends on oidc-provider 9.x: `includeSid` decides about `sid` in ID tokens, by back-channel logout alone. */
export function includeSidFor({ Client }: Provider, needsSid: (client: unknown) => boolean): void {
  const prototype = Client.prototype as unknown as { includeSid(): unknown }
  const { includeSid } = prototype
  if (typeof includeSid !== 'function') throw new Error('oidc-provider: Client.prototype.includeSid is missing')
  prototype.includeSid = function () {
    return Boolean(includeSid.call(this)) || needsSid(this)
  }
}

/**
 * Depends on oidc-provider 9.x: requests look scopes up in the set `scopes` of the configuration, to which the library has
 * copied ours. Replaced by a set that changes in place, so that a new scope needs no new provider. Throws when there is none.
 */
export function useLiveScopes(provider: Provider, scopes: Set<string>): void {
  const { configuration } = instanceOf(provider) as { configuration?: { scopes?: unknown } }
  if (!(configuration?.scopes instanceof Set)) throw new Error('oidc-provider: the configuration has no set of scopes')
  configuration.scopes = scopes
}

/** Depends on oidc-provider 9.x: `registerResponseMode`, which is typed but not documented. */
export function registerResponseMode(provider: Provider, ...args: Parameters<Provider['registerResponseMode']>): void {
  provider.registerResponseMode(...args)
}

// --- The context of the running request

/**
 * Depends on oidc-provider 9.x: inside an adapter `Provider.ctx` is the context. Where the client authenticates, its `params` are
 * those of client authentication at first, and `body` has all.
 */
export function isSignatureSent(): boolean {
  const { params, body } = Provider.ctx?.oidc ?? {}
  return params?.client_assertion !== undefined || params?.request !== undefined || body?.request !== undefined
}

/** Depends on `Provider.ctx` as `isSignatureSent`. A public client that sends a secret is authenticated (protocol §2.2). */
export function isClientSecretSent(): boolean {
  const ctx = Provider.ctx
  return ctx?.oidc?.params?.client_secret !== undefined || /^basic /i.test(ctx?.headers.authorization ?? '')
}

/** Depends on `Provider.ctx` as `isSignatureSent`. */
export function requestedRedirectUri(): unknown {
  return Provider.ctx?.oidc?.params?.redirect_uri
}

/** Depends on `Provider.ctx` as `isSignatureSent`. The algorithm of the DPoP proof, which the library has verified before. */
export function dpopProofAlg(): string | undefined {
  const proof = Provider.ctx?.get('dpop')
  return proof ? decodeProtectedHeader(proof).alg : undefined
}

/** Depends on `Provider.ctx` as `isSignatureSent`. The client that has authenticated. */
export function authenticatedClientId(): string | undefined {
  return Provider.ctx?.oidc?.client?.clientId
}

/** Depends on oidc-provider 9.x: `resourceServers` has the resources of a request by name (RFC 8707). */
export function requestedResources(): string[] {
  return Object.keys(Provider.ctx?.oidc?.resourceServers ?? {})
}

/** Depends on oidc-provider 9.x: `id_token_hint` is the entity `IdTokenHint`; at the end-session endpoint also before it is verified. */
export function idTokenHint({ entities }: Oidc): { sub?: string; aud?: unknown } {
  return (entities.IdTokenHint as { payload?: { sub?: string; aud?: unknown } } | undefined)?.payload ?? {}
}

/** Depends on `Provider.ctx` as `isSignatureSent`. The user whom `id_token_hint` of the request names. */
export function hintedSub(): string | undefined {
  const { oidc } = Provider.ctx ?? {}
  return oidc && idTokenHint(oidc).sub
}

/** Depends on oidc-provider 9.x: the presented refresh token is the entity `RefreshToken`. */
export function refreshTokenOf({ entities }: Oidc): RefreshToken | undefined {
  return entities.RefreshToken
}

/** Depends on oidc-provider 9.x: the redeemed device code is the entity `DeviceCode`. */
export function deviceCodeOf({ entities }: Oidc): DeviceCode | undefined {
  return entities.DeviceCode
}

/** Depends on oidc-provider 9.x: the redeemed backchannel authentication request is the entity of that name. */
export function cibaRequestOf({ entities }: Oidc): BackchannelAuthenticationRequest | undefined {
  return entities.BackchannelAuthenticationRequest
}

/** Depends on oidc-provider 9.x: a redeemed authorization code is the entity `AuthorizationCode`. */
export function isAuthorizationCodeGrant({ entities }: Oidc): boolean {
  return entities.AuthorizationCode !== undefined
}

/** Depends on oidc-provider 9.x: `acr` of the session becomes `acr` of the ID token. */
export function setSessionAcr({ session }: Oidc, acr: string): void {
  if (session) session.acr = acr
}

/** Depends on oidc-provider 9.x: what a sign-out needs between its question and the answer is `session.state`. */
export function signOutStateOf({
  oidc,
}: Pick<KoaContextWithOIDC, 'oidc'>): { secret: string; postLogoutRedirectUri?: string; state?: string } | undefined {
  return oidc?.session?.state as ReturnType<typeof signOutStateOf>
}

// --- Cookies

/** Name of a cookie that the library sets with each interaction and that nothing here reads. */
const UNUSED_INTERACTION_COOKIE = 'vrata_interaction'

/** Names of the library's cookies; the session cookie is ours (decision 0033). */
export function providerCookieNames(config: Pick<Config, 'secure'>) {
  const resume = config.secure ? '__Secure-vrata_request' : 'vrata_request'
  return { session: cookieName(config, 'session'), interaction: UNUSED_INTERACTION_COOKIE, resume }
}

/** Depends on oidc-provider 9.x: the value of the resume cookie is the uid of the interaction. */
export function isInteractionOfBrowser(
  config: Pick<Config, 'secure'>,
  header: string | undefined,
  uid: string,
): boolean {
  return parseCookie(header ?? '')[providerCookieNames(config).resume] === uid
}

/** Depends on oidc-provider 9.x: each response sets the session cookie again, which sign-in and refresh alone may set. */
export function withoutProviderCookies(config: Pick<Config, 'secure'>, setCookie: string[]): string[] {
  const { session, interaction } = providerCookieNames(config)
  return setCookie.filter((cookie) => ![session, interaction].some((name) => cookie.startsWith(`${name}=`)))
}

// --- Models and metadata

/**
 * Depends on oidc-provider 9.x: these members of an interaction contain its id, the session cookie and tokens, which must
 * not be stored (protocol §3.5).
 */
export function withoutSecrets(interaction: AdapterPayload): AdapterPayload {
  const { jti, returnTo, session, result, lastSubmission, parJti, ...payload } = interaction
  const { id_token_hint, ...params } = payload.params ?? {}
  return { ...payload, params, ...(payload.prompt ? { prompt: { ...payload.prompt, details: {} } } : {}) }
}

/**
 * Depends on oidc-provider 9.x: a client with a secret method needs a `client_secret` in plain. This one is random and
 * never compared (`replaceSecretComparison`).
 */
export const PLACEHOLDER_CLIENT_SECRET = randomBytes(32).toString('base64url')

/** Depends on oidc-provider 9.x: an empty `scope` of a client would allow it every scope. */
export function clientScope(scopes: readonly string[]): string {
  return scopes.length > 0 ? scopes.join(' ') : 'openid'
}

/**
 * Depends on oidc-provider 9.x: a notification endpoint must be https. The library never calls it (notify-client.ts), so a
 * loopback address with http is given to it with https.
 */
export function withHttps(uri: string): string {
  return uri.replace(/^http:/, 'https:')
}

/** Depends on oidc-provider 9.x: a native client with an https loopback address is rejected as a whole. */
export function withoutHttpsLoopback(uris: readonly string[]): string[] {
  return uris.filter((uri) => {
    const url = URL.parse(uri)
    return !(url?.protocol === 'https:' && isLoopbackHostname(url.hostname))
  })
}

// --- Responses

/**
 * Depends on oidc-provider 9.x: introspection refuses a JWT only after it has authenticated the client. Returns the client
 * that may be answered; undefined for other responses.
 */
export function introspectingClient(ctx: KoaContextWithOIDC): string | undefined {
  const { route, client } = ctx.oidc ?? {}
  if (route !== 'introspection' || !client) return undefined
  const { error } = ctx.body as { error?: string }
  return ctx.status === 200 || error === 'unsupported_token_type' ? client.clientId : undefined
}

/** Media type of a signed introspection response (RFC 9701 §5). */
const INTROSPECTION_JWT = 'application/token-introspection+jwt'

/** Whether the request wants its introspection response signed (RFC 9701 §4). Case does not matter (RFC 9110 §8.3.1). */
export function acceptsIntrospectionJwt(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes(INTROSPECTION_JWT) === true
}

/**
 * Depends on oidc-provider 9.x: `IdToken` signs introspection responses, with `extra` as claims. Replaces the response by
 * `introspection`, as a JWT when the request prefers one (RFC 9701 §5).
 */
export async function setIntrospection(ctx: KoaContextWithOIDC, introspection: object): Promise<void> {
  ctx.status = 200
  if (ctx.accepts('json', INTROSPECTION_JWT) !== INTROSPECTION_JWT) {
    ctx.body = introspection
    return
  }
  const { IdToken } = ctx.oidc.provider as unknown as {
    IdToken: new (claims: object, options: object) => { extra: object; issue(options: object): Promise<string> }
  }
  const token = new IdToken({}, { ctx })
  token.extra = { token_introspection: introspection }
  ctx.body = await token.issue({ use: 'introspection' })
  ctx.type = INTROSPECTION_JWT
}

/** Depends on oidc-provider 9.x: revocation answers with an empty text, whose content type clients may not accept (RFC 7009 §2.2). */
export function removeTypeOfEmptyBody(ctx: KoaContextWithOIDC): void {
  if (ctx.body === '') ctx.remove('content-type')
}
