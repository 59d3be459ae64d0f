import type { AdapterPayload, Grant, KoaContextWithOIDC } from 'oidc-provider'
import { hasAccess } from '../../features/client-access/public.ts'
import { allowedScopes } from '../../features/connections/public.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import type { Reads } from '../request/reads.ts'
import { claimsOfScopes } from '../tokens/claims.ts'
import { grantIdOf, parseGrantId } from '../tokens/grant-ids.ts'
import { type Scopes, scopesByResource, scopesForResource } from '../tokens/resources.ts'
import { askedFor, stepOf } from './policy.ts'
import { withoutConsent } from './trusted-client.ts'

/** Hook `loadExistingGrant`: the grant of the session's user and the client. A trusted client gets it here, also for `prompt=none`. */
export async function loadExistingGrant(request: ProviderRequest, ctx: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { reads } = request
  const { oidc } = ctx
  const { session } = oidc
  const user_id = session?.accountId
  const client_id = oidc.client?.clientId
  if (!user_id || !client_id || !session) return undefined
  const client = await reads.client(client_id)
  if (client?.trusted) await withoutConsent(request, await stepOf(request, ctx), askedFor(ctx, client))
  const connection = await reads.connection(user_id, client_id)
  if (!connection) return undefined
  const grant_id = grantIdOf(connection.id, session.uid)
  reads.grants.set(grant_id, { user_id, client_id, allowed_client_id: client_id, session_id: session.uid })
  return oidc.provider.Grant.find(grant_id)
}

/**
 * `find` of the Grant model: the scopes that the user grants and the clients may still request. Undefined when the
 * connection has been removed or is refused, when the user may not use the client that has received a token in exchange, or when this
 * request has not read the grant's owner. A token of such a grant may still be stored (decision 0092).
 */
export async function grantPayload(
  request: ProviderRequest,
  grant_id: string,
  known: Scopes,
): Promise<AdapterPayload | undefined> {
  const { reads, deps } = request
  const owner = reads.grants.get(grant_id)
  if (!owner) return undefined
  const connection = await reads.connection(owner.user_id, owner.allowed_client_id)
  const client = await reads.client(owner.client_id)
  const allowedClient = await reads.client(owner.allowed_client_id)
  if (!client || !allowedClient?.enabled) return undefined
  if (connection?.id !== parseGrantId(grant_id).connection_id || connection.blocked || connection.left_out)
    return undefined
  const { client_id, user_id } = owner
  if (client_id !== owner.allowed_client_id && !(await hasAccess(deps.db, client_id, user_id))) return undefined
  const scopes = allowedScopes(allowedScopes(connection.scopes, allowedClient.scopes), client.scopes)
  const now = request.toProviderTime(request.nowText)
  return {
    jti: grant_id,
    kind: 'Grant',
    accountId: owner.user_id,
    clientId: owner.client_id,
    openid: { scope: scopes.join(' '), claims: claimsOfScopes(scopes) },
    resources: {
      ...scopesByResource(deps.config.url, scopes, known),
      ...(await requestedResources(reads, scopes)),
    },
    iat: now,
    exp: now + 60,
  } as AdapterPayload
}

/** Scopes for the APIs with identifiers of their own that this request has named. */
async function requestedResources(reads: Reads, granted: readonly string[]): Promise<Record<string, string>> {
  const named = await Promise.all([...reads.resources].map(async ([name, row]) => [name, (await row)?.scopes] as const))
  return Object.fromEntries(named.map(([name, accepted = []]) => [name, scopesForResource(granted, accepted)]))
}
