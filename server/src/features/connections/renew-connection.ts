import type { TransactionDeps } from '../../deps.ts'
import { newId } from '../../lib/ids.ts'
import { deleteConnectionScopes, insertConnectionScopes } from './scope-store.ts'
import { updateConnectionId } from './store.ts'

/**
 * Gives a connection that the transaction has locked a new id, which ends all tokens that name the former one (decision 0145). Returns the new
 * id; undefined when no connection has the former one.
 */
export async function renewConnection(
  { db, clock }: Pick<TransactionDeps, 'db' | 'clock'>,
  id: string,
): Promise<string | undefined> {
  const to = newId(clock)
  const scopes = await deleteConnectionScopes(db, id)
  if (!(await updateConnectionId(db, id, to))) return undefined
  await insertConnectionScopes(db, to, scopes)
  return to
}
