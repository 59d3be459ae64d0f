import { isOvertakenCommit } from '../provider/provider-errors.ts'
import type { ProviderRequest } from '../request/provider-request.ts'

/**
 * Whether the writes are committed. When another request was first or the session has ended meanwhile, oidc-provider finds the
 * cause and answers.
 */
export async function isCommitted(request: ProviderRequest): Promise<boolean> {
  try {
    await request.commit()
    return true
  } catch (error) {
    if (!isOvertakenCommit(error)) request.failed(error)
    return false
  }
}
