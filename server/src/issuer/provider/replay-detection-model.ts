import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { hashToken } from '../../lib/ids.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import type { Write } from '../request/writes.ts'
import { ALG_NOT_ALLOWED, isAllowedByFapi2 } from './clients/client-jwts.ts'
import { dpopProofAlg } from './compat/compat.ts'
import { ReplayedError, withReason } from './provider-errors.ts'
import { findProviderModel, insertProviderModel, newProviderModelRow } from './provider-model-store.ts'

/**
 * Adapter of used client assertions and DPoP proofs (RFC 7523 §3, RFC 9449 §11.1). Of two requests with the same one, the
 * insert of the later one fails. At every endpoint a verified DPoP proof comes here with its client, so its algorithm is checked, too.
 */
export function replayDetectionModel(request: ProviderRequest): Partial<Adapter> {
  return {
    async upsert(id, { iss = '' }, expiresIn) {
      const fapi2 = (await request.reads.client(iss))?.security_profile === 'fapi2'
      if (fapi2 && !isAllowedByFapi2(dpopProofAlg())) {
        throw withReason('algorithm', new errors.InvalidDpopProof(ALG_NOT_ALLOWED))
      }
      const row = newProviderModelRow('ReplayDetection', hashToken(id), request.now, expiresIn as number)
      const write: Write = async ({ db }) => {
        if (!(await insertProviderModel(db, row))) throw new ReplayedError()
      }
      request.writes.push(write)
      request.keptWrites.push(write)
    },

    async find(id) {
      const row = await findProviderModel(request.deps.db, 'ReplayDetection', hashToken(id), request.nowText)
      return (
        row && ({ jti: id, kind: 'ReplayDetection', exp: request.toProviderTime(row.expires_at) } as AdapterPayload)
      )
    },
  }
}
