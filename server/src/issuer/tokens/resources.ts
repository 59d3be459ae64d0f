import { errors, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider'
import type { IssuerClient } from '../../features/clients/public.ts'
import { isAllowedByFapi2 } from '../provider/clients/client-jwts.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import type { Reads } from '../request/reads.ts'

/** Questions of requests about scopes. */
export interface Scopes {
  has(key: string): boolean
  /** The client that defines a scope; undefined for the product's own scopes. */
  get(key: string): string | undefined
  definedBy(client_id: string): readonly string[]
}

/**
 * The name of a client that defines scopes, in `resource` (RFC 8707) and in `aud` of its tokens. A token with an audience
 * is refused at userinfo (protocol §2.1).
 */
export function resourceOf(issuer: string, client_id: string): string {
  return `${issuer}/resources/${client_id}`
}

/**
 * Hook `getResourceServerInfo`. Throws `invalid_target` for a client that is unknown, disabled or defines no scope, and for
 * an API identifier that is not registered (decision 0038).
 */
export async function resourceServerInfo(
  { reads }: ProviderRequest,
  ctx: KoaContextWithOIDC,
  resource: string,
  client_id: string,
  scopes: Scopes,
): Promise<ResourceServer> {
  const client = await reads.client(client_id)
  const prefix = resourceOf(ctx.oidc.issuer, '')
  if (!resource.startsWith(prefix)) return await identifiedResource(reads, ctx, resource, client, scopes)
  const owner = await reads.client(resource.slice(prefix.length))
  if (!owner?.enabled) throw new errors.InvalidTarget()
  const defined = scopes.definedBy(owner.client_id)
  if (defined.length === 0) throw new errors.InvalidTarget()
  return {
    scope: defined.join(' '),
    audience: resource,
    accessTokenFormat: owner.access_token_format,
    ...(owner.access_token_format === 'jwt' ? { jwt: { sign: { alg: algFor(client, owner) } } } : {}),
  }
}

/** An API under an identifier of its own: its tokens are JWTs, because the API is not known to this server otherwise. */
async function identifiedResource(
  reads: Reads,
  ctx: KoaContextWithOIDC,
  resource: string,
  client: IssuerClient | undefined,
  scopes: Scopes,
): Promise<ResourceServer> {
  const found = await reads.resource(resource)
  const owner = found && (await reads.client(found.client_id))
  const accepted = found?.scopes.filter((key) => scopes.get(key) === found.client_id) ?? []
  if (!found || !owner?.enabled || accepted.length === 0) throw new errors.InvalidTarget()
  // The token endpoint reads the grant before it asks for the resource.
  const { Grant: grant } = ctx.oidc.entities
  grant?.addResourceScope(resource, scopesForResource(grant.getOIDCScope().split(' '), accepted))
  return {
    scope: accepted.join(' '),
    audience: found.identifier,
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: algFor(client, owner) } },
  }
}

/** The algorithm of the API; that of the client's ID tokens where FAPI 2.0 excludes the former (FAPI 2.0 Security Profile §5.4.1). */
function algFor(client: IssuerClient | undefined, { id_token_signed_response_alg: ofApi }: IssuerClient) {
  return client?.security_profile === 'fapi2' && !isAllowedByFapi2(ofApi) ? client.id_token_signed_response_alg : ofApi
}

/** The granted scopes that a resource accepts, separated by spaces. */
export function scopesForResource(granted: readonly string[], accepted: readonly string[]): string {
  return granted.filter((key) => accepted.includes(key)).join(' ')
}

/**
 * Hook `defaultResource`: a request without `resource` means the client that defines all of its scopes, if that client
 * wants JWTs (RFC 9068 §3). A request with `openid` needs a token for userinfo, so there `resource` must be explicit.
 */
export async function defaultResource(
  { reads }: ProviderRequest,
  ctx: KoaContextWithOIDC,
  scopes: Scopes,
): Promise<string | undefined> {
  const requested = [...ctx.oidc.requestParamOIDCScopes].filter((scope) => scope !== 'offline_access')
  const owners = new Set(requested.map((scope) => scopes.get(scope)))
  const [owner] = owners
  if (owners.size !== 1 || owner === undefined) return undefined
  const client = await reads.client(owner)
  return client?.access_token_format === 'jwt' ? resourceOf(ctx.oidc.issuer, owner) : undefined
}

/** Groups the scopes of clients by resource: a space-separated list for each. */
export function scopesByResource(issuer: string, keys: readonly string[], scopes: Scopes): Record<string, string> {
  const resources: Record<string, string> = {}
  for (const key of keys) {
    const owner = scopes.get(key)
    if (owner === undefined) continue
    const resource = resourceOf(issuer, owner)
    resources[resource] = resources[resource] ? `${resources[resource]} ${key}` : key
  }
  return resources
}
