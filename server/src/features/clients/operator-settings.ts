import { problem } from '@vrata/contract'
import { toFlag, toTime } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import { findDeveloperForUpdate } from '../developers/public.ts'
import { UNREGISTERED } from './metadata-documents/unregistered.ts'
import { announceClientChange } from './own-client.ts'
import { type ClientChanges, type ClientRow, findClientById, listClientsForUpdate, updateClient } from './store.ts'

/**
 * `enabled` of a row is what counts everywhere. `disabled_by` says who has disabled it besides its developers, who cannot enable
 * it then.
 */
type Decision = { enabled?: boolean | undefined; verified?: boolean | undefined; trusted?: boolean | undefined }

/**
 * Changes what operators decide about a client, and returns the row before and after. Undefined for clients that are not
 * registered. Throws `organization_disabled`.
 */
export async function updateOperatorSettings(
  deps: TransactionDeps,
  client_id: string,
  { enabled, verified, trusted }: Decision,
): Promise<{ before: ClientRow; after: ClientRow } | undefined> {
  const found = await findClientById(deps.db, client_id)
  if (!found || found.developer_id === UNREGISTERED) return undefined
  // Before the client, so that the organization is not disabled meanwhile.
  const developer = await findDeveloperForUpdate(deps.db, found.developer_id)
  const [before] = await listClientsForUpdate(deps.db, found.developer_id, client_id)
  if (!before || !developer) return undefined
  if (enabled && developer.enabled === 0) throw problem('organization_disabled')
  const changes: ClientChanges = {
    ...(enabled === undefined ? {} : { enabled: toFlag(enabled), disabled_by: enabled ? null : 'operator' }),
    ...(verified === undefined ? {} : { verified: toFlag(verified) }),
    ...(trusted === undefined ? {} : { trusted: toFlag(trusted) }),
  }
  const after = { ...before, ...changes }
  await write(deps, before, changes)
  return { before, after }
}

/** Disables the clients of an organization, or enables those that were disabled with it. */
export async function setClientsOfDeveloper(
  deps: TransactionDeps,
  developer_id: string,
  enabled: boolean,
): Promise<void> {
  const rows = await listClientsForUpdate(deps.db, developer_id)
  const concerned = rows.filter((row) => (enabled ? row.disabled_by === 'organization' : row.enabled === 1))
  const changes = { enabled: toFlag(enabled), disabled_by: enabled ? null : ('organization' as const) }
  for (const row of concerned) await write(deps, row, changes)
}

async function write(deps: TransactionDeps, before: ClientRow, changes: ClientChanges): Promise<void> {
  await updateClient(deps.db, before, { ...changes, updated_at: toTime(deps.clock.now()) })
  if (changes.enabled === 0 && before.enabled === 1) await deps.revoke('app_disabled', { client_id: before.client_id })
  await announceClientChange(deps, before.client_id)
}
