import { LIMITS } from '@vrata/contract'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { fromJson, timeAfter, toJson } from '../../db/values.ts'
import { loginKey } from '../../features/account/public.ts'
import { isEnabledForUpdate } from '../../features/clients/public.ts'
import { hashToken, newId } from '../../lib/ids.ts'
import { isCollected } from '../interactions/decisions.ts'
import { authenticatedClientId } from '../provider/compat/compat.ts'
import { AlreadyConsumedError, TooManyRequestsError } from '../provider/provider-errors.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { answeredGrant, assertInterval } from '../tokens/answered-grant.ts'
import { sealNotification } from './notify-client.ts'
import {
  type CibaRequestRow,
  consumeCibaRequest,
  findCibaRequest,
  insertCibaRequest,
  restoreCibaRequest,
  updateCibaAskedAt,
} from './store.ts'
import type { StoredCibaRequest } from './stored-ciba-request.ts'

/**
 * Adapter of backchannel authentication requests (OpenID Connect CIBA Core). oidc-provider creates them and answers the
 * client; the user decides on our pages (ciba-requests.ts), so `find` returns the decision in the library's terms.
 */
export function cibaRequestModel(request: ProviderRequest): Partial<Adapter> {
  const { deps, now, nowText } = request
  return {
    async upsert(auth_req_id, payload, expiresIn) {
      const { clientId: client_id = '', accountId = '', params = {} } = payload
      const hint_hash = hashToken(loginKey(String(params.login_hint ?? accountId)))
      const id = newId(deps.clock)
      const user = await request.reads.user(accountId)
      const stored: StoredCibaRequest = {
        client_id,
        scope: String(payload.scope),
        claims: params.claims as string | undefined,
        resource: [payload.resource ?? []].flat(),
        binding_message: (params.binding_message as string | undefined) ?? null,
        notification: sealNotification(deps, id, { auth_req_id, token: params.client_notification_token }),
      }
      const row: CibaRequestRow = {
        id,
        auth_req_id_hash: hashToken(auth_req_id),
        link_hash: null,
        client_id,
        user_id: user && user.disabled_at === null ? user.id : null,
        hint_hash,
        session_id: null,
        decision: null,
        asked_at: null,
        delivered_at: null,
        payload: toJson(stored),
        created_at: nowText,
        expires_at: timeAfter(now, expiresIn as number),
      }
      // By hint and not by user, so that the limit does not reveal whether a hint names a user, or which.
      const most = Math.ceil(LIMITS.ciba_requests_per_person * deps.config.limits_factor)
      request.finalWrites.push(async ({ db }) => {
        await isEnabledForUpdate(db, client_id)
        if (!(await insertCibaRequest(db, row, most))) throw new TooManyRequestsError()
      })
    },

    async find(auth_req_id) {
      const row = await request.options.unknownCommits.find(
        hashToken(auth_req_id),
        (hash) => findCibaRequest(deps.db, 'auth_req_id_hash', hash),
        ({ decision }) => decision === 'used',
      )
      if (!row || isCollected(row.decision)) return undefined
      const found: AdapterPayload = {
        jti: auth_req_id,
        kind: 'BackchannelAuthenticationRequest',
        clientId: row.client_id,
        iat: request.toProviderTime(row.created_at),
        exp: request.toProviderTime(row.expires_at),
      }
      // To another client oidc-provider answers `invalid_grant`; nothing is written.
      if (authenticatedClientId() !== row.client_id || row.expires_at <= nowText) return found
      if (row.decision === null) {
        request.writes.push(({ db }) => updateCibaAskedAt(db, row.id, nowText))
        assertInterval(request, row.asked_at)
        return found
      }
      const stored = fromJson<StoredCibaRequest>(row.payload)
      const grant = row.decision === 'allowed' ? await answeredGrant(request, row.session_id, stored) : undefined
      return { ...found, ...(grant ?? { error: 'access_denied', errorDescription: 'the user denied the request' }) }
    },

    /**
     * As for device codes (device-code-model.ts). Last, because a revocation locks the session before the request, as the new tokens do
     * (decision 0012).
     */
    async consume(auth_req_id) {
      const auth_req_id_hash = hashToken(auth_req_id)
      request.tokens.restores.set(auth_req_id_hash, (db) => restoreCibaRequest(db, auth_req_id_hash))
      request.finalWrites.push(async ({ db }) => {
        const decision = request.refused ? 'denied' : 'allowed'
        const consumed = await consumeCibaRequest(db, { auth_req_id_hash, decision }, nowText)
        if (!consumed && !request.refused) throw new AlreadyConsumedError()
      })
    },

    /** Nothing: `find` sees that a session or connection has ended. */
    revokeByGrantId: async () => undefined,
  }
}
