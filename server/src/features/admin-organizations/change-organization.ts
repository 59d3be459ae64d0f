import { type adminOrganizations, type audit, type InputOf, problem } from '@vrata/contract'
import { fromFlag, toFlag, toJson } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import { recordActivity } from '../activity/public.ts'
import { reportDecision } from '../admin-clients/public.ts'
import { type AuditActor, recordAudit } from '../audit/public.ts'
import { setClientsOfDeveloper, UNREGISTERED } from '../clients/public.ts'
import {
  decidedApproval,
  findDeveloperForUpdate,
  isActiveDeveloper,
  ownLimits,
  updateDeveloperRow,
} from '../developers/public.ts'
import { makeOwner } from '../members/public.ts'
import { getAdminOrganization, isActive, isOwnerless } from './list-organizations.ts'
import { listMembersWithAccounts } from './store.ts'

/**
 * Changes the decisions of operators about an organization. Repeating the same values changes nothing and is not recorded. Throws
 * `already_decided`.
 */
export async function updateAdminOrganization(
  deps: TransactionDeps,
  actor: AuditActor,
  { id, enabled, verified, limits = {}, ...decision }: InputOf<typeof adminOrganizations.updateAdminOrganization>,
) {
  const row = await lockOrganization(deps, id)
  const before = { enabled: fromFlag(row.enabled), verified: fromFlag(row.verified), ...ownLimits(row) }
  const after = {
    enabled: enabled ?? before.enabled,
    verified: verified ?? before.verified,
    clients: limits.clients === undefined ? before.clients : limits.clients,
    members: limits.members === undefined ? before.members : limits.members,
  }
  const changes: audit.AuditChanges = {}
  for (const field of ['enabled', 'verified', 'clients', 'members'] as const)
    if (before[field] !== after[field])
      changes[field === 'clients' || field === 'members' ? `limits.${field}` : field] = [before[field], after[field]]
  const approval = decidedApproval(row, decision)
  const own = { clients: after.clients ?? undefined, members: after.members ?? undefined }
  await updateDeveloperRow(deps.db, id, {
    enabled: toFlag(after.enabled),
    verified: toFlag(after.verified),
    limits: toJson(own),
    ...approval,
  })
  const next = { ...row, enabled: toFlag(after.enabled), ...approval }
  const active = isActiveDeveloper(next)
  if (isActiveDeveloper(row) !== active) await setClientsOfDeveloper(deps, id, active)
  const subject = { kind: 'organization', id }
  await reportDecision(deps, actor, { developer_id: id, name: row.name }, [row, next])
  if (Object.keys(changes).length > 0) {
    await deps.emit('changed_by_operator', { developer_id: id })
    await recordAudit(deps, actor, { type: 'organization.changed', subject, organization_id: id, changes })
  }
  return await getAdminOrganization(deps, actor, { id })
}

/** Makes a member the owner where no owner has an account that can be used. Throws `has_owner`. */
export async function transferOrganization(
  deps: TransactionDeps,
  actor: AuditActor,
  { id, user_id }: InputOf<typeof adminOrganizations.transferOrganization>,
) {
  await lockOrganization(deps, id)
  const members = await listMembersWithAccounts(deps.db, id)
  if (!isOwnerless(members)) throw problem('has_owner')
  const successor = members.find((member) => member.id === user_id && isActive(member))
  if (!successor) throw problem('not_found', { fields: { user_id: 'wrong' } })
  await makeOwner(deps, successor.member_id)
  const subject = { kind: 'organization', id }
  const changes = { owner: [null, user_id] } satisfies audit.AuditChanges
  await recordActivity(deps, { type: 'OPERATOR_GAVE_ORGANIZATION', user_id, from: null, session_id: null })
  await deps.emit('changed_by_operator', { developer_id: id })
  await recordAudit(deps, actor, { type: 'organization.transferred', subject, organization_id: id, changes })
  return await getAdminOrganization(deps, actor, { id })
}

async function lockOrganization(deps: TransactionDeps, id: string) {
  const row = id === UNREGISTERED ? undefined : await findDeveloperForUpdate(deps.db, id)
  if (!row) throw problem('not_found')
  return row
}
