import { LIFETIMES } from '@vrata/contract'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { fromJson, toJson } from '../../db/values.ts'
import { hashToken } from '../../lib/ids.ts'
import { ReplayedError } from '../provider/provider-errors.ts'
import {
  deleteProviderModel,
  findProviderModel,
  insertProviderModel,
  newProviderModelRow,
  upsertProviderModel,
} from '../provider/provider-model-store.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import type { Write } from '../request/writes.ts'

/**
 * Adapter of pushed authorization requests (RFC 9126). One is consumed by the response that it leads to, at once or when
 * its interaction is resumed; until then the page may be reloaded.
 */
export function pushedRequestModel(request: ProviderRequest): Partial<Adapter> {
  return {
    async upsert(id, { request: object, dpopJkt, trusted }, expiresIn) {
      const row = {
        ...newProviderModelRow('PushedRequest', hashToken(id), request.now, expiresIn as number),
        payload: toJson({ request: object, dpopJkt, trusted }),
      }
      request.writes.push(({ db }) => upsertProviderModel(db, row))
    },

    async find(id) {
      const row = await findProviderModel(request.deps.db, 'PushedRequest', hashToken(id), request.nowText)
      if (!row) return undefined
      const exp = request.toProviderTime(row.expires_at)
      return { ...fromJson<object>(row.payload), jti: id, kind: 'PushedAuthorizationRequest', exp } as AdapterPayload
    },

    async consume(id) {
      request.writes.push(useOfPushedRequest(request, hashToken(id)))
    },
  }
}

/**
 * Uses a pushed request, once: it may be open in several tabs, each with an interaction of its own. The row that says so stays as long as these
 * interactions, of which none begins any more.
 */
export function useOfPushedRequest(request: ProviderRequest, id_hash: string): Write {
  const used = newProviderModelRow(
    'UsedPushedRequest',
    hashToken(`used-pushed-request/${id_hash}`),
    request.now,
    LIFETIMES.interaction,
  )
  return async ({ db }) => {
    if (!(await insertProviderModel(db, used))) throw new ReplayedError()
    await deleteProviderModel(db, id_hash)
  }
}
