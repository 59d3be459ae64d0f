import { type activity, type audit, paths } from '@vrata/contract'
import { type Mail, queueMail } from '../../adapters/mail/mail.ts'
import type { TransactionDeps } from '../../deps.ts'
import { findUsers, greetingName, localeOf, type User } from '../account/public.ts'
import { recordActivity } from '../activity/public.ts'
import { type AuditActor, recordAudit } from '../audit/public.ts'
import { type ApprovalColumns, findApplicant, isSameDecision } from '../developers/public.ts'
import { listMemberIds } from '../members/public.ts'

/** An organization, or with `client_id` an app. */
export interface Subject {
  developer_id: string
  client_id?: string
  name: string
}

type State = Pick<ApprovalColumns, 'approval' | 'approval_reason'>

const TYPES = {
  client: {
    approved: ['OPERATOR_APPROVED_APP', 'client.approved'],
    rejected: ['OPERATOR_REJECTED_APP', 'client.rejected'],
  },
  organization: {
    approved: ['OPERATOR_APPROVED_ORGANIZATION', 'organization.approved'],
    rejected: ['OPERATOR_REJECTED_ORGANIZATION', 'organization.rejected'],
  },
} as const satisfies Record<string, Record<string, [activity.ActivityType, audit.AuditType]>>

/**
 * Records and reports what an operator has decided about an approval: in the audit log, in the activity of those who have
 * asked, and by mail to them. Repeating a decision records nothing. Rules call it after everything else, as `recordAudit`.
 */
export async function reportDecision(
  deps: TransactionDeps,
  actor: AuditActor,
  { developer_id, client_id, name }: Subject,
  [before, after]: [State, State],
): Promise<void> {
  if (isSameDecision(before, after)) return
  const kind = client_id === undefined ? 'organization' : 'client'
  const [type, audited] = TYPES[kind][after.approval === null ? 'approved' : 'rejected']
  for (const user of await listApplicants(deps, developer_id, client_id)) {
    await recordActivity(deps, { type, user_id: user.id, from: null, session_id: null, client_id })
    await queueMail(deps, mailTo(user, `${deps.config.url}${pageOf(developer_id, client_id)}`, { kind, name, after }))
  }
  await deps.emit('approval_changed', { developer_id, ...(client_id && { client_id }) })
  const { approval_reason: reason } = after
  await recordAudit(deps, actor, {
    type: audited,
    subject: { kind, id: client_id ?? developer_id },
    organization_id: developer_id,
    changes: {
      approval: [before.approval ?? 'approved', after.approval ?? 'approved'],
      ...(reason === null ? {} : { reason: [null, reason] }),
    },
  })
}

/** The person who asked, while they are a member; else the owners. */
async function listApplicants(deps: TransactionDeps, developer_id: string, client_id: string | undefined) {
  const applicant = await findApplicant(deps.db, developer_id, client_id)
  const members = await listMemberIds(deps.db, developer_id)
  const ids = applicant && members.all.includes(applicant) ? [applicant] : members.owners
  return await findUsers(deps.db, ids)
}

function pageOf(developer_id: string, client_id: string | undefined): string {
  return client_id === undefined ? paths.organization(developer_id) : paths.client(developer_id, client_id)
}

function mailTo(
  user: User,
  link: string,
  { kind, name, after }: { kind: keyof typeof TYPES; name: string; after: State },
): Mail {
  const to = { to: user.email, locale: localeOf(user) }
  const values = { name: greetingName(user), link }
  const reason = after.approval_reason ?? 'none'
  const rejected = after.approval !== null
  if (kind === 'client')
    return rejected
      ? { ...to, template: 'app_rejected', values: { ...values, app: name, reason } }
      : { ...to, template: 'app_approved', values: { ...values, app: name } }
  return rejected
    ? { ...to, template: 'organization_rejected', values: { ...values, organization: name, reason } }
    : { ...to, template: 'organization_approved', values: { ...values, organization: name } }
}
