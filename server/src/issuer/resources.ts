import { errors, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider'
import { unitOfWork } from './unit-of-work.ts'

/** Every scope, and the app that defines it; undefined for the product's own. */
export type Scopes = ReadonlyMap<string, string | undefined>

/**
 * An app that defines scopes is a resource server: this is its name in `resource` (RFC 8707) and in the `aud` of tokens
 * that are made for it. A token with an audience is for that one alone, so userinfo refuses it (oidc.md §2a).
 */
export function resourceOf(issuer: string, client_id: string): string {
  return `${issuer}/resources/${client_id}`
}

/** What tokens for this resource are like. Unknown, disabled and scopeless ones are no target. */
export async function resourceServer(
  ctx: KoaContextWithOIDC,
  resource: string,
  scopes: Scopes,
): Promise<ResourceServer> {
  const prefix = resourceOf(ctx.oidc.issuer, '')
  const owner = resource.startsWith(prefix) ? await unitOfWork().client(resource.slice(prefix.length)) : undefined
  if (!owner?.enabled) throw new errors.InvalidTarget()
  const defined = [...scopes].filter(([, client_id]) => client_id === owner.client_id).map(([key]) => key)
  if (defined.length === 0) throw new errors.InvalidTarget()
  return {
    scope: defined.join(' '),
    audience: resource,
    accessTokenFormat: owner.access_token_format,
    ...(owner.access_token_format === 'jwt' ? { jwt: { sign: { alg: owner.id_token_signed_response_alg } } } : {}),
  }
}

/**
 * Without `resource`, what is asked for tells for whom the token is (RFC 9068 §3): for an app that wants JWTs, when it
 * alone defines all of it. Whoever signs a person in needs a token for userinfo instead.
 */
export async function resourceAskedFor(ctx: KoaContextWithOIDC, scopes: Scopes): Promise<string | undefined> {
  const asked = [...ctx.oidc.requestParamOIDCScopes].filter((scope) => scope !== 'offline_access')
  const owners = new Set(asked.map((scope) => scopes.get(scope)))
  const [owner] = owners
  if (owners.size !== 1 || owner === undefined) return undefined
  const client = await unitOfWork().client(owner)
  return client?.access_token_format === 'jwt' ? resourceOf(ctx.oidc.issuer, owner) : undefined
}

/** The scopes of apps among these, by the resource to which they belong. */
export function byResource(issuer: string, keys: readonly string[], scopes: Scopes): Record<string, string> {
  const resources: Record<string, string> = {}
  for (const key of keys) {
    const owner = scopes.get(key)
    if (owner === undefined) continue
    const resource = resourceOf(issuer, owner)
    resources[resource] = resources[resource] ? `${resources[resource]} ${key}` : key
  }
  return resources
}
