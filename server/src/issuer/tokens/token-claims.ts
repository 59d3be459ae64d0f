import { errors, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider'
import { isStandardScope } from '../../features/scope-catalog/public.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import type { Act } from './exchange/act.ts'
import { encryptGrant } from './grant-ids.ts'
import { findGrantGeneration } from './grant-store.ts'
import type { Scopes } from './resources.ts'

/** The members of an access token that oidc-provider is about to issue. */
type UnissuedToken = {
  kind?: string
  clientId?: string | undefined
  grantId?: string | undefined
  scope?: string | undefined
  resourceServer?: Pick<ResourceServer, 'accessTokenFormat'> | undefined
}

/**
 * Hook `extraTokenClaims`: the last call before an access token is issued, and the first at which its scopes are known.
 * Throws `invalid_target` for a resource of which no scope is granted, because an API that checks the audience alone
 * would accept the token, and `invalid_scope` for a service (decision 0038).
 */
export async function extraTokenClaims(
  request: ProviderRequest,
  { oidc }: KoaContextWithOIDC,
  token: UnissuedToken,
  scopes: Scopes,
): Promise<{ grant?: string; act?: Act } | undefined> {
  const granted = token.scope?.split(' ').filter(Boolean) ?? []
  if (token.kind === 'ClientCredentials') {
    await assertScopesOfService(request, token, granted, scopes)
    // Without `scope`, the response would say that all of the requested ones are granted (RFC 6749 §5.1).
    const { scope } = oidc.params ?? {}
    if (granted.length === 0 && !token.resourceServer && typeof scope === 'string')
      throw new errors.InvalidScope('scope names no scope that exists', scope)
  }
  if (token.resourceServer && granted.length === 0) {
    throw new errors.InvalidTarget('no scope of this resource is granted')
  }
  const act = request.act && { act: request.act }
  if (token.resourceServer?.accessTokenFormat !== 'jwt') return act
  return { grant: await grantOf(request, token), ...act }
}

/** The `grant` claim of a JWT. */
async function grantOf(
  { deps, reads, nowText }: ProviderRequest,
  { grantId, clientId = '' }: UnissuedToken,
): Promise<string> {
  const client = (await reads.client(clientId))?.token_generation ?? 0
  const owner = grantId === undefined ? undefined : reads.grants.get(grantId)
  if (!grantId || !owner) return encryptGrant(deps.encryption, { user: 0, client, allowed_client: client, grant: '' })
  const { user_id, allowed_client_id } = owner
  const { token_generation: user = 0 } = (await reads.user(user_id)) ?? {}
  const { token_generation: allowed_client = 0 } = (await reads.client(allowed_client_id)) ?? {}
  const grant = (await findGrantGeneration(deps.db, grantId, nowText)) ?? ''
  return encryptGrant(deps.encryption, { user, client, allowed_client, grant }, { grant_id: grantId, user_id })
}

/**
 * The client credentials grant has no user: it gives no scope that concerns a user (RFC 6749 §4.4) and, as no user can
 * consent, none that another developer has defined (decision 0038).
 */
async function assertScopesOfService(
  { reads }: ProviderRequest,
  { clientId = '' }: UnissuedToken,
  granted: string[],
  scopes: Scopes,
): Promise<void> {
  const service = await reads.client(clientId)
  for (const key of granted) {
    if (isStandardScope(key)) throw new errors.InvalidScope('a service cannot be granted a scope of users', key)
    const owner = await reads.client(scopes.get(key) ?? '')
    if (!service || owner?.developer_id !== service.developer_id) {
      throw new errors.InvalidScope('a service can be granted scopes of its own developer account only', key)
    }
  }
}
