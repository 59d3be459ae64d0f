import { type adminClients, type audit, type clients, type InputOf, problem } from '@vrata/contract'
import { fromFlag } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import { type AuditActor, type NewAuditEvent, recordAudit } from '../audit/public.ts'
import { writeAccess } from '../client-access/public.ts'
import {
  findClientByIdForUpdate,
  insertNewClient,
  replaceSecret,
  UNREGISTERED,
  updateOperatorSettings,
} from '../clients/public.ts'
import { APPROVED } from '../developers/public.ts'
import { findExistingGroupsForShare } from '../groups/public.ts'
import { reportDecision } from './decision.ts'
import { getAdminClient } from './list-clients.ts'

/** Creates an app for a command. The secret is only in the answer. */
export async function createAdminClient(
  deps: TransactionDeps,
  actor: AuditActor,
  { developer_id, ...input }: InputOf<typeof clients.createClient> & { developer_id: string },
): Promise<adminClients.AdminClient & { client_secret: string | null }> {
  if (developer_id === UNREGISTERED) throw problem('no_developer')
  const { row, client_secret } = await insertNewClient(deps, developer_id, { ...input, ...APPROVED })
  const { client_id: id } = row
  const organization_id = developer_id
  await recordAudit(deps, actor, { type: 'client.created', subject: { kind: 'client', id }, organization_id })
  return { ...(await getAdminClient(deps, actor, { id })), client_secret }
}

/** Replaces the secret of an app for a command. The old one ends at once, or in 24 hours with `grace`. */
export async function replaceAdminSecret(
  deps: TransactionDeps,
  actor: AuditActor,
  { id, grace }: { id: string; grace: boolean },
): Promise<{ client_secret: string }> {
  const client = await findClientByIdForUpdate(deps.db, id)
  if (!client || client.developer_id === UNREGISTERED) throw problem('not_found')
  const { client_secret } = await replaceSecret(deps, client, grace)
  const changes = { grace: [null, grace] } satisfies audit.AuditChanges
  await recordAudit(deps, actor, {
    type: 'client.secret_regenerated',
    subject: { kind: 'client', id },
    organization_id: client.developer_id,
    changes,
  })
  return { client_secret }
}

const FIELDS = ['enabled', 'verified', 'trusted'] as const

/** Changes the decisions of operators about an app. Repeating the same values changes nothing and is not recorded. */
export async function updateAdminClient(
  deps: TransactionDeps,
  actor: AuditActor,
  { id, access, ...decision }: InputOf<typeof adminClients.updateAdminClient>,
): Promise<adminClients.AdminClientWithAccess> {
  // Against deletion, before the client is locked: the order in which a group is deleted.
  if (access) await findExistingGroupsForShare(deps.db, access.groups)
  let accessEvent: NewAuditEvent | undefined
  const changed = await updateOperatorSettings(deps, id, decision, async () => {
    // A changed access locks connections, which come before tokens (decision 0012).
    accessEvent = access && (await writeAccess(deps, id, access, 'access.'))
  })
  if (!changed) throw problem('not_found')
  const { before, after } = changed
  const decided = decision.enabled === undefined ? (['verified', 'trusted'] as const) : FIELDS
  const fields = decided.filter((field) => before[field] !== after[field])
  const changes: audit.AuditChanges = Object.fromEntries(
    fields.map((field) => [field, [fromFlag(before[field]), fromFlag(after[field])]]),
  )
  // A client that its developers had disabled is now disabled by an operator.
  if (decision.enabled !== undefined && before.disabled_by !== after.disabled_by)
    changes.disabled_by = [before.disabled_by, after.disabled_by]
  const { developer_id, name } = after
  await reportDecision(deps, actor, { developer_id, client_id: id, name }, [before, after])
  if (Object.keys(changes).length > 0 || accessEvent)
    await deps.emit('changed_by_operator', { developer_id, client_id: id })
  const subject = { kind: 'client', id }
  const organization_id = developer_id
  if (Object.keys(changes).length > 0)
    await recordAudit(deps, actor, { type: 'client.changed', subject, organization_id, changes })
  if (accessEvent) await recordAudit(deps, actor, { ...accessEvent, organization_id })
  return await getAdminClient(deps, actor, { id })
}
