import type { Adapter, AdapterPayload } from 'oidc-provider'
import { hashToken } from '../../lib/ids.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { ReplayedError } from './provider-errors.ts'
import { findProviderModel, insertProviderModel, newProviderModelRow } from './provider-model-store.ts'

/**
 * Adapter of used client assertions and DPoP proofs (RFC 7523 §3, RFC 9449 §11.1). Of two requests with the same one, the
 * insert of the later one fails.
 */
export function replayDetectionModel(request: ProviderRequest): Partial<Adapter> {
  return {
    async upsert(id, _, expiresIn) {
      const row = newProviderModelRow('ReplayDetection', hashToken(id), request.now, expiresIn as number)
      request.writes.push(async ({ db }) => {
        if (!(await insertProviderModel(db, row))) throw new ReplayedError()
      })
    },

    async find(id) {
      const row = await findProviderModel(request.deps.db, 'ReplayDetection', hashToken(id), request.nowText)
      return (
        row && ({ jti: id, kind: 'ReplayDetection', exp: request.toProviderTime(row.expires_at) } as AdapterPayload)
      )
    },
  }
}
