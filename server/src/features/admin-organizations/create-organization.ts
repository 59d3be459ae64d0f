import { type adminOrganizations, problem } from '@vrata/contract'
import type { TransactionDeps } from '../../deps.ts'
import { findUserByEmail, findUserForUpdate, loginKey } from '../account/public.ts'
import { recordActivity } from '../activity/public.ts'
import { type AuditActor, recordAudit } from '../audit/public.ts'
import { APPROVED, insertNewDeveloper } from '../developers/public.ts'
import { getAdminOrganization } from './list-organizations.ts'

/**
 * Creates an organization for a command; it needs no approval. Throws `not_found` for an address without a confirmed account,
 * `second_factor_required` and `limit_reached`.
 */
export async function createAdminOrganization(
  deps: TransactionDeps,
  actor: AuditActor,
  { name, owner }: { name: string; owner: string },
): Promise<adminOrganizations.AdminOrganizationDetails> {
  const found = await findUserByEmail(deps.db, loginKey(owner))
  const user = found && (await findUserForUpdate(deps.db, found.id))
  if (!user?.email_verified_at) throw problem('not_found', { fields: { owner: 'wrong' } })
  const { id } = await insertNewDeveloper(deps, user.id, { name, ...APPROVED })
  const type = 'OPERATOR_CREATED_ORGANIZATION'
  await recordActivity(deps, { type, user_id: user.id, from: null, session_id: null })
  await recordAudit(deps, actor, {
    type: 'organization.created',
    subject: { kind: 'organization', id },
    organization_id: id,
    changes: { owner: [null, user.id] },
  })
  return await getAdminOrganization(deps, actor, { id })
}
