import { type ClaimsParameter, errors } from 'oidc-provider'
import { timeAfter } from '../../db/values.ts'
import { allowedScopes } from '../../features/connections/public.ts'
import { findSession } from '../../features/sessions/public.ts'
import { acrOf, essentialAcr } from '../interactions/acr.ts'
import { requiredSub } from '../interactions/policy.ts'
import { amrOf, sidOf } from '../interactions/provider-session.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { grantIdOf } from './grant-ids.ts'

/** A request that its user has answered in another browser than the one that collects the tokens, or on another device. */
export interface AnsweredRequest {
  client_id: string
  scope: string
  /** The only user that the client accepts (`id_token_hint`). */
  sub?: string | undefined
  /** The `claims` parameter (OpenID Connect Core §5.5). */
  claims?: string | undefined
  resource: string[]
}

/** The client requires another user (OpenID Connect Core §5.5.1). */
const OTHER_USER = { error: 'access_denied', errorDescription: 'a different user has answered' }

/** The user has signed in without the required authentication context (OpenID Connect Core §5.5.1.1). */
const UNMET_ACR = {
  error: 'unmet_authentication_requirements',
  errorDescription: 'the user has not authenticated as required by acr',
}

/**
 * What the user grants now, in the terms of oidc-provider's models. Undefined when the session in which they have answered or
 * their connection has ended since.
 */
export async function answeredGrant(
  request: ProviderRequest,
  session_id: string | null,
  { client_id, scope, sub: hinted, claims, resource: resources }: AnsweredRequest,
): Promise<object | undefined> {
  const { deps, reads, now } = request
  const requested = claims === undefined ? undefined : (JSON.parse(claims) as ClaimsParameter)
  const session = session_id === null ? undefined : await findSession(deps.db, session_id, now)
  if (!session) return undefined
  const { id, user_id } = session
  const [client, connection] = await Promise.all([reads.client(client_id), reads.connection(user_id, client_id)])
  if (!client || !connection || connection.blocked || connection.left_out) return undefined
  const sub = await deps.subjects.of(client, user_id)
  const required = [hinted, requested && requiredSub(requested)]
  if (required.some((one) => one !== undefined && one !== sub)) return OTHER_USER
  const essential = requested && essentialAcr(requested)
  const acr = acrOf(session, essential)
  if (essential && !essential.includes(acr)) return UNMET_ACR
  const granted = allowedScopes(connection.scopes, client.scopes)
  const scopes = scope.split(' ').filter((one) => granted.includes(one))
  const grantId = grantIdOf(connection.id, id)
  reads.grants.set(grantId, { user_id, client_id, allowed_client_id: client_id, session_id: id })
  const [resource, ...more] = resources
  return {
    accountId: user_id,
    grantId,
    sessionUid: id,
    authTime: request.toProviderTime(session.authenticated_at),
    amr: amrOf(session),
    acr,
    scope: scopes.join(' '),
    ...(requested ? { claims: requested } : {}),
    ...(resource ? { resource: more.length > 0 ? resources : resource } : {}),
    ...(client.backchannel_logout_uri || client.frontchannel_logout_uri ? { sid: sidOf(id, client_id) } : {}),
    // As for other refresh tokens (decision 0035).
    ...(scopes.includes('offline_access') ? {} : { expiresWithSession: true }),
  }
}

/** Seconds between two token requests (RFC 8628 §3.2, OpenID Connect CIBA Core §7.3), less one for the network. */
const INTERVAL = 5 - 1

/** Throws `slow_down` when the client asks too soon after its last token request. Each request restarts the interval. */
export function assertInterval({ nowText }: Pick<ProviderRequest, 'nowText'>, asked_at: string | null): void {
  if (asked_at !== null && timeAfter(new Date(asked_at), INTERVAL) > nowText) throw new errors.SlowDown()
}
