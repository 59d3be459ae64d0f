import { isRequestUid, problem } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import { fromJson, toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import type { Interaction, Interactions } from '../../features/extension-points.ts'
import { hashToken } from '../../lib/ids.ts'
import { decideRequest, findOpenRequest, findRequestDecision, listOpenRequests } from '../ciba/ciba-requests.ts'
import {
  decideDeviceRequest,
  findDeviceDecision,
  findDeviceRequest,
  isUserCode,
  openDevice,
} from '../device/device-requests.ts'
import { ROUTES } from '../paths.ts'
import { findProviderModel, type ProviderModelRow, updateDecision } from '../provider/provider-model-store.ts'
import { requestedScopes, type StoredInteraction } from './stored-interaction.ts'

/** Implements the extension point: what the consent page may read and decide of an interaction. */
export function interactions(clock: Pick<TransactionDeps['clock'], 'now'>): Interactions {
  return {
    async find(db, uid, { user_id, session_id }) {
      if (isRequestUid(uid)) return await findOpenRequest(db, uid, user_id, toTime(clock.now()))
      const found = isUserCode(uid)
        ? await findDeviceRequest(db, uid, toTime(clock.now()))
        : await findInteraction(db, uid, clock)
      return found?.session_id === session_id ? found : undefined
    },

    listRequests: (db, user_id) => listOpenRequests(db, user_id, toTime(clock.now())),

    async findClientId(db, uid) {
      return (await findInteraction(db, uid, clock))?.client_id
    },

    openDevice,

    async finish(deps, { uid, user_id, session_id }, decision) {
      if (isRequestUid(uid)) return await decideRequest(deps, { uid, user_id, session_id }, decision)
      if (isUserCode(uid)) return { redirect_to: await decideDeviceRequest(deps, { uid, session_id }, decision) }
      const update = { id_hash: hashToken(uid), session_id, decision }
      const updated = await updateDecision(deps.db, update, toTime(deps.clock.now()))
      if (!updated) throw problem('not_found')
      return { redirect_to: `${ROUTES.authorization}/${uid}` }
    },

    async findDecision(db, uid, user) {
      if (isRequestUid(uid)) return await findRequestDecision(db, uid, user)
      return isUserCode(uid) ? await findDeviceDecision(db, uid, user) : undefined
    },
  }
}

async function findInteraction(
  db: ReadDb,
  uid: string,
  clock: Pick<TransactionDeps['clock'], 'now'>,
): Promise<Interaction | undefined> {
  const row = await findProviderModel(db, 'Interaction', hashToken(uid), toTime(clock.now()))
  return row && interactionOf(uid, row)
}

function interactionOf(uid: string, row: ProviderModelRow): Interaction {
  const stored = fromJson<StoredInteraction>(row.payload)
  const { client_id = '', redirect_uri = '' } = stored.params
  return {
    uid,
    client_id,
    session_id: row.session_id,
    scopes: requestedScopes(stored),
    redirect_host: URL.parse(redirect_uri)?.host ?? '',
    device: null,
    request: null,
  }
}
