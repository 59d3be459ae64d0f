import { findSettingForUpdate, insertSetting, upsertSetting } from '../../db/settings.ts'
import type { TransactionDeps } from '../../deps.ts'
import { accountTerms } from './search-terms.ts'
import * as store from './store.ts'

/** Setting with the id of the last account whose terms are known to be complete. */
const COMPLETE = 'account_terms_complete'

/**
 * Completes the terms of accounts that a former version has stored, which lack the parts of names such as `Novak-Kovač`. Looks at up to
 * `most` accounts, each once, and returns their number.
 */
export async function completeTerms(deps: Pick<TransactionDeps, 'db' | 'emit'>, most: number): Promise<number> {
  const { db } = deps
  await insertSetting(db, COMPLETE, '')
  const after = (await findSettingForUpdate(db, COMPLETE)) ?? ''
  const found = await store.listUsersAfter(db, after, most)
  const last = found.at(-1)
  if (!last) return 0
  const stored = await store.listTerms(
    db,
    found.map(({ id }) => id),
  )
  const lacking = found.filter((user) => accountTerms(user).some((term) => !stored.get(user.id)?.has(term)))
  const ids = await store.selectUsersForUpdate(
    db,
    lacking.map(({ id }) => id),
  )
  for (const id of ids) await store.replaceTerms(db, id)
  // Search terms by which developers find the users of their apps.
  for (const user_id of ids) await deps.emit('account_changed', { user_id })
  await upsertSetting(db, COMPLETE, last.id)
  return found.length
}
