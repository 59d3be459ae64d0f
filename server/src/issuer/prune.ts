import { LIFETIMES } from '@vrata/contract'
import { inSmallSteps } from '../db/transactions/small-steps.ts'
import { timeAfter, toTime } from '../db/values.ts'
import type { AppDeps } from '../deps.ts'
import { deleteExpiredCibaRequests } from './ciba/store.ts'
import { deleteExpiredProviderModels } from './provider/provider-model-store.ts'
import { pruneAccessChanges } from './tokens/deletion/change-access.ts'
import { pruneEndedTokens } from './tokens/deletion/end-tokens.ts'
import { deleteExpiredTokens } from './tokens/store.ts'

/**
 * Deletes expired tokens and provider models and returns their number. Consumed refresh tokens stay until they expire,
 * because a second use reveals a theft (decision 0035). Provider models and backchannel authentication requests stay for
 * their lifetime once more, so that devices, clients and users get `expired` instead of `unknown` (decision 0039).
 */
export async function pruneIssuer(deps: AppDeps): Promise<number> {
  const now = deps.clock.now()
  const deletions = [
    [deleteExpiredTokens, toTime(now)],
    [deleteExpiredProviderModels, timeAfter(now, -LIFETIMES.device_code)],
    [deleteExpiredCibaRequests, timeAfter(now, -LIFETIMES.ciba_request)],
  ] as const
  await pruneEndedTokens(deps)
  await pruneAccessChanges(deps)
  let total = 0
  for (const [deleteExpired, before] of deletions)
    total += await inSmallSteps(deps.db, (most) => deps.transaction(({ db }) => deleteExpired(db, before, most)))
  return total
}
