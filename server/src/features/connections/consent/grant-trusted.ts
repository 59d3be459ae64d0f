import type { TransactionDeps } from '../../../deps.ts'
import type { UserActor } from '../../../http/actors.ts'
import { findUserForUpdate } from '../../account/public.ts'
import { hasAccess } from '../../client-access/public.ts'
import { findClientForShare, findPublicClient, mayRequest } from '../../clients/public.ts'
import { findExistingScopesForShare } from '../../scope-catalog/public.ts'
import type { DeveloperUserRow } from '../developer-user-store.ts'
import { lockDeveloperUserOfClient, updateSearchTerms } from '../developer-users.ts'
import { grantScopes } from './grant-scopes.ts'

/** The user and session of an authorization request, and the browser that sends it. */
export type GrantingUser = Pick<UserActor, 'user_id' | 'session_id' | 'ip' | 'os' | 'browser' | 'request_id'>

/**
 * Grants what a trusted client asks for, in place of the consent page, and records it like a consent (operators §2). Returns false
 * when the consent page has to decide: for an unconfirmed address, a blocked user or one whom the rule of the client leaves out, or when the
 * client has changed meanwhile.
 */
export async function grantTrusted(
  deps: TransactionDeps,
  actor: GrantingUser,
  { client_id, scopes }: { client_id: string; scopes: readonly string[] },
): Promise<boolean> {
  const client = await findPublicClient(deps.db, client_id)
  // Locked as in submitConsent.
  const user = await findUserForUpdate(deps.db, actor.user_id)
  if (!client?.enabled || !client.trusted || !user?.email_verified_at || user.disabled_at !== null) return false
  const developerUser = await lockDeveloperUserOfClient(deps, client_id, actor.user_id)
  if (!developerUser) return false
  const requested = [...new Set(scopes)].filter((key) => mayRequest(client.scopes, key))
  const chosen = await findGrantable(deps, { client_id, requested, developerUser })
  if (chosen.length > 0) await grantScopes(deps, actor, client_id, { chosen, requested: chosen, developerUser })
  // A row that was inserted in order to lock it would stay in the list of users.
  else await updateSearchTerms(deps.db, developerUser)
  return chosen.length > 0
}

async function findGrantable(
  { db }: Pick<TransactionDeps, 'db'>,
  { client_id, requested, developerUser }: { client_id: string; requested: string[]; developerUser: DeveloperUserRow },
): Promise<string[]> {
  if (developerUser.blocked_at || !(await findClientForShare(db, client_id))) return []
  // The rule may have changed since the request was read; a change of it locks the client first (as in submitConsent).
  if (!(await hasAccess(db, client_id, developerUser.user_id))) return []
  return [...(await findExistingScopesForShare(db, requested))]
}
