import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { fromJson, timeAfter, toJson } from '../../db/values.ts'
import { allowedScopes } from '../../features/connections/public.ts'
import { findSession } from '../../features/sessions/public.ts'
import { hashToken } from '../../lib/ids.ts'
import { acrOf } from '../interactions/acr.ts'
import { amrOf, sidOf } from '../interactions/provider-session.ts'
import { authenticatedClientId, requestedResources } from '../provider/compat.ts'
import { AlreadyConsumedError } from '../provider/provider-errors.ts'
import { newProviderModelRow, type ProviderModelRow, upsertProviderModel } from '../provider/provider-model-store.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { grantIdOf } from '../tokens/grant-ids.ts'
import type { StoredDeviceRequest } from './device-requests.ts'
import { consumeDeviceCode, findDeviceCode, updateAskedAt } from './store.ts'

/** Seconds between two token requests of a device (RFC 8628 §3.2), less one for the network. */
const INTERVAL = 5 - 1

/**
 * Adapter of device codes (RFC 8628). oidc-provider creates the codes and answers the device; the user decides on our
 * pages (device-requests.ts), so `find` returns the decision in the library's terms.
 */
export function deviceCodeModel(request: ProviderRequest): Partial<Adapter> {
  const { deps, now, nowText } = request
  return {
    async upsert(id, { clientId, userCode, params }, expiresIn) {
      const { ip, os, browser } = request.options.visitor()
      const stored: StoredDeviceRequest = {
        client_id: clientId as string,
        // The documented default (RFC 6749 §3.3).
        scope: typeof params?.scope === 'string' && params.scope ? params.scope : 'openid',
        claims: params?.claims as string | undefined,
        resource: requestedResources(),
        from: { ip, os, browser, location: await deps.geoip.find(ip) },
      }
      const row = {
        ...newProviderModelRow('DeviceCode', hashToken(id), now, expiresIn as number),
        user_code_hash: hashToken(userCode as string),
        payload: toJson(stored),
      }
      request.writes.push(({ db }) => upsertProviderModel(db, row))
    },

    async find(id) {
      const row = await findDeviceCode(deps.db, 'id_hash', hashToken(id))
      if (!row || row.decision === 'used') return undefined
      const stored = fromJson<StoredDeviceRequest>(row.payload)
      const code: AdapterPayload = {
        jti: id,
        kind: 'DeviceCode',
        clientId: stored.client_id,
        iat: request.toProviderTime(row.created_at),
        exp: request.toProviderTime(row.expires_at),
      }
      // To another client oidc-provider answers `invalid_grant`; nothing is written.
      if (authenticatedClientId() !== stored.client_id) return code
      if (row.decision === null) {
        assertInterval(request, row)
        return code
      }
      const grant = row.decision === 'allowed' ? await grantOf(request, row, stored) : undefined
      return { ...code, ...(grant ?? { error: 'access_denied', errorDescription: 'the user denied the request' }) }
    },

    /** oidc-provider ignores the outcome, so the condition is in the write (protocol §3.1). */
    async consume(id) {
      request.writes.push(async ({ db }) => {
        if (!(await consumeDeviceCode(db, hashToken(id), nowText))) throw new AlreadyConsumedError()
      })
    },

    /** Nothing: `find` sees that a session or connection has ended. */
    revokeByGrantId: async () => undefined,
  }
}

/** Throws `slow_down` when the device asks too soon. The interval begins anew with each token request. */
function assertInterval(request: ProviderRequest, { id_hash, asked_at, expires_at }: ProviderModelRow): void {
  const { nowText } = request
  if (expires_at <= nowText) return
  request.writes.push(({ db }) => updateAskedAt(db, id_hash, nowText))
  if (asked_at !== null && timeAfter(new Date(asked_at), INTERVAL) > nowText) throw new errors.SlowDown()
}

/** What the user grants now; undefined when the session or connection has ended since the decision. */
async function grantOf(
  request: ProviderRequest,
  { session_id }: ProviderModelRow,
  stored: StoredDeviceRequest,
): Promise<object | undefined> {
  const { deps, reads, now } = request
  const session = session_id === null ? undefined : await findSession(deps.db, session_id, now)
  if (!session) return undefined
  const { client_id } = stored
  const { id, user_id } = session
  const [client, connection] = await Promise.all([reads.client(client_id), reads.connection(user_id, client_id)])
  if (!client || !connection || connection.blocked) return undefined
  const granted = allowedScopes(connection.scopes, client.scopes)
  const scopes = stored.scope.split(' ').filter((scope) => granted.includes(scope))
  const grantId = grantIdOf(connection.id, id)
  reads.grants.set(grantId, { user_id, client_id, allowed_client_id: client_id, session_id: id })
  const [resource, ...more] = stored.resource
  return {
    accountId: user_id,
    grantId,
    sessionUid: id,
    authTime: request.toProviderTime(session.authenticated_at),
    amr: amrOf(session),
    acr: acrOf(session),
    scope: scopes.join(' '),
    ...(stored.claims ? { claims: JSON.parse(stored.claims) } : {}),
    ...(resource ? { resource: more.length > 0 ? stored.resource : resource } : {}),
    ...(client.backchannel_logout_uri ? { sid: sidOf(id, client_id) } : {}),
    // As for other refresh tokens (decision 0035).
    ...(scopes.includes('offline_access') ? {} : { expiresWithSession: true }),
  }
}
