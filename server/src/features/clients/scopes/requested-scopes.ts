import { problem } from '@vrata/contract'
import type { TransactionDeps } from '../../../deps.ts'
import { findExistingScopesForShare, withoutStandardScopes } from '../../scope-catalog/public.ts'
import { replaceRequestedScopes } from './scope-store.ts'

/**
 * Replaces the scopes that a client may request: standard scopes and scopes that any client defines (decision 0030).
 * Returns them without duplicates, for the column `scopes` of the client.
 */
export async function updateRequestedScopes(
  { db }: Pick<TransactionDeps, 'db'>,
  client_id: string,
  keys: readonly string[],
) {
  const wanted = [...new Set(keys)]
  const existing = await findExistingScopesForShare(db, wanted)
  const unknown = wanted.find((key) => !existing.has(key))
  if (unknown !== undefined) {
    throw problem('unknown_scope', { fields: { scopes: 'unknown' }, params: { scope: unknown } })
  }
  await replaceRequestedScopes(db, client_id, withoutStandardScopes(wanted))
  return wanted
}
