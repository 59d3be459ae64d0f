import { isConflictingCommit } from '../provider/provider-errors.ts'
import { isDatabaseUnavailable } from '../request/is-database-unavailable.ts'
import type { ProviderRequest } from '../request/provider-request.ts'

/**
 * Whether the writes are committed. When another request was first or the session has ended meanwhile, oidc-provider finds the
 * cause and answers. Throws when the database is unavailable: then it may be unknown whether they are (decision 0035).
 */
export async function isCommitted(request: ProviderRequest): Promise<boolean> {
  try {
    await request.commit()
    return true
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    if (!isConflictingCommit(error)) request.failed(error)
    return false
  }
}
