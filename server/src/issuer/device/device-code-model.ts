import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { fromJson, toJson } from '../../db/values.ts'
import { hashToken } from '../../lib/ids.ts'
import { isCollected } from '../interactions/decisions.ts'
import { authenticatedClientId, hintedSub, requestedResources } from '../provider/compat/compat.ts'
import { AlreadyConsumedError, withReason } from '../provider/provider-errors.ts'
import { newProviderModelRow, upsertProviderModel } from '../provider/provider-model-store.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { answeredGrant, assertInterval } from '../tokens/answered-grant.ts'
import type { Scopes } from '../tokens/resources.ts'
import type { StoredDeviceRequest } from './device-requests.ts'
import { consumeDeviceCode, findDeviceCode, restoreDeviceCode, updateAskedAt } from './store.ts'

/**
 * Adapter of device codes (RFC 8628). oidc-provider creates the codes and answers the device; the user decides on our
 * pages (device-requests.ts), so `find` returns the decision in the library's terms.
 */
export function deviceCodeModel(request: ProviderRequest, scopes: Scopes): Partial<Adapter> {
  const { deps, now, nowText } = request
  return {
    async upsert(id, { clientId, userCode, params }, expiresIn) {
      const { ip, os, browser } = request.options.visitor()
      // The documented default (RFC 6749 §3.3).
      const scope = typeof params?.scope === 'string' ? params.scope : 'openid'
      // As in an authorization request, where others are ignored beside one that exists.
      if (!scope.split(' ').some((one) => scopes.has(one)))
        throw withReason('authorization_request', new errors.InvalidScope('scope names no scope that exists', ''))
      const stored: StoredDeviceRequest = {
        client_id: clientId as string,
        scope,
        sub: hintedSub(),
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
      const row = await request.options.unknownCommits.find(
        hashToken(id),
        (hash) => findDeviceCode(deps.db, 'id_hash', hash),
        ({ decision }) => decision === 'used',
      )
      if (!row || isCollected(row.decision)) return undefined
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
        if (row.expires_at > nowText) {
          request.writes.push(({ db }) => updateAskedAt(db, row.id_hash, nowText))
          assertInterval(request, row.asked_at)
        }
        return code
      }
      const grant = row.decision === 'allowed' ? await answeredGrant(request, row.session_id, stored) : undefined
      return { ...code, ...(grant ?? { error: 'access_denied', errorDescription: 'the user denied the request' }) }
    },

    /**
     * oidc-provider ignores the outcome, so the condition is in the write (protocol §3.1): tokens collect an approval that nothing has ended
     * meanwhile, and an error a denial. Last, because a sign-out locks the session before the code, as the new tokens do (decision 0012).
     */
    async consume(id) {
      const id_hash = hashToken(id)
      request.tokens.restores.set(id_hash, (db) => restoreDeviceCode(db, id_hash))
      request.finalWrites.push(async ({ db }) => {
        const decision = request.refused ? 'denied' : 'allowed'
        const consumed = await consumeDeviceCode(db, { id_hash, decision }, nowText)
        if (!consumed && !request.refused) throw new AlreadyConsumedError()
      })
    },

    /** Nothing: `find` sees that a session or connection has ended. */
    revokeByGrantId: async () => undefined,
  }
}
