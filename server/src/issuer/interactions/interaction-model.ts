import type { Adapter, AdapterPayload } from 'oidc-provider'
import { fromJson, toJson } from '../../db/values.ts'
import { hashToken } from '../../lib/ids.ts'
import { withoutSecrets } from '../provider/compat/compat.ts'
import { ReplayedError } from '../provider/provider-errors.ts'
import {
  consumeProviderModel,
  findProviderModel,
  newProviderModelRow,
  upsertProviderModel,
} from '../provider/provider-model-store.ts'
import type { ResumedInteraction } from '../request/interaction-state.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { useOfPushedRequest } from './pushed-request-model.ts'
import type { StoredInteraction } from './stored-interaction.ts'

/** Adapter of interactions: authorization requests that wait for their user (protocol §4.5). */
export function interactionModel(request: ProviderRequest): Partial<Adapter> {
  const { deps, reads, interaction } = request
  return {
    async upsert(id, payload, expiresIn) {
      const session = await reads.session()
      const stored = {
        ...withoutSecrets(payload),
        requested: interaction.requested,
        pushed_request_hash: payload.parJti ? hashToken(payload.parJti) : undefined,
      } as StoredInteraction
      const row = {
        ...newProviderModelRow('Interaction', hashToken(id), request.now, expiresIn as number),
        session_id: session?.id ?? null,
        payload: toJson(stored),
      }
      request.writes.push(({ db }) => upsertProviderModel(db, row))
    },

    /** Only for an interaction that `continueInteraction` has resumed. */
    async find(id) {
      const row = await findProviderModel(deps.db, 'Interaction', hashToken(id), request.nowText)
      const session = await reads.session()
      if (!row || !interaction.resumed || !session) return undefined
      const { pushed_request_hash, ...payload } = fromJson<StoredInteraction>(row.payload)
      if (pushed_request_hash) request.writes.push(useOfPushedRequest(request, pushed_request_hash))
      return {
        ...(payload as AdapterPayload),
        jti: id,
        uid: id,
        returnTo: `${deps.config.url}/authorize/${id}`,
        session: { accountId: session.user_id, uid: session.id },
        result: resultOf(interaction.resumed),
        iat: request.toProviderTime(row.created_at),
        exp: request.toProviderTime(row.expires_at),
      } as AdapterPayload
    },

    /** Once: an interaction that is continued several times at the same moment leads to one response (security §2.3.1). */
    async destroy(id) {
      request.writes.push(async ({ db }) => {
        if (!(await consumeProviderModel(db, hashToken(id)))) throw new ReplayedError()
      })
    },
  }
}

/** The interaction result that makes oidc-provider take the step which `nextStep` has decided. */
function resultOf({ step, login }: ResumedInteraction): AdapterPayload['result'] {
  switch (step) {
    case 'deny':
      return { error: 'access_denied', error_description: 'the user denied the request' }
    case 'wrong_user':
      return { error: 'login_required', error_description: 'a different user has signed in' }
    case 'unmet_acr':
      return {
        error: 'unmet_authentication_requirements',
        error_description: 'the user has not authenticated as required by acr',
      }
    case 'done':
      return { login, select_account: {}, verify: {}, consent: {} }
  }
}
