import type { clients, InputOf } from '@vrata/contract'
import { emptyPayloads, findWaitingJob, NO_PAYLOAD } from '../../adapters/jobs/jobs.ts'
import type { Db } from '../../db/open.ts'
import { toJson, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { recordDeveloperActivity, unverify } from '../developers/public.ts'
import { replacePicture, uploadPicture } from '../media/public.ts'
import { toClientInfo } from './info.ts'
import { announceClientChange, findOwnClient, findOwnClientForUpdate } from './own-client.ts'
import { findClientByIdForUpdate, updateClient } from './store.ts'

/** Sets the icon (api §6). The picture is converted before the transaction begins. */
export async function setIcon(open: AppDeps, actor: MemberActor, { id, icon }: InputOf<typeof clients.setIcon>) {
  await findOwnClient(open, actor, id)
  const file = await uploadPicture(open, { user_id: actor.user_id, upload: icon, field: 'icon', framing: 'whole' })
  return await open.transaction((deps) => replaceIcon(deps, actor, id, file))
}

/** Removes the icon; succeeds when there is none. */
export async function removeIcon(
  deps: TransactionDeps,
  actor: MemberActor,
  { id }: InputOf<typeof clients.removeIcon>,
) {
  return await replaceIcon(deps, actor, id, null)
}

/** The job that copies the picture at a `logo_uri` to the icon of its client (RFC 7591 §2). */
export const LOGO_JOB = 'client_logo'

/**
 * Copies that wait or run do not set the icon of a client any more, which its registration or a member sets: one that is tried again may be
 * done last. The caller has locked the client.
 */
export async function cancelLogos(db: Db, client_id: string): Promise<void> {
  // The payload begins with the client. A program may have registered so many clients that all of them do not fit into memory.
  await emptyPayloads(db, LOGO_JOB, toJson({ client_id }).slice(0, -1))
}

/**
 * Sets the icon that a program has registered as `logo_uri`; nothing when the client has been deleted or the job canceled meanwhile.
 */
export async function setLogo(deps: TransactionDeps, job_id: string, client_id: string, icon: string): Promise<void> {
  const client = await findClientByIdForUpdate(deps.db, client_id)
  const job = await findWaitingJob(deps.db, job_id)
  if (!client || !job || job.payload === NO_PAYLOAD) return
  await replacePicture(deps, client.icon, icon)
  await updateClient(deps.db, client, { icon, ...unverify(client)?.columns, updated_at: toTime(deps.clock.now()) })
  await announceClientChange(deps, client_id)
}

async function replaceIcon(
  deps: TransactionDeps,
  actor: MemberActor,
  id: string,
  icon: string | null,
): Promise<clients.ClientInfo> {
  const client = await findOwnClientForUpdate(deps, actor, id)
  await cancelLogos(deps.db, id)
  if (icon !== client.icon) {
    const unverified = unverify(client)
    await replacePicture(deps, client.icon, icon)
    await updateClient(deps.db, client, { icon, ...unverified?.columns, updated_at: toTime(deps.clock.now()) })
    const params = { client_id: id, name: client.name, ...(icon === null ? { removed: 'true' } : {}) }
    await recordDeveloperActivity(deps, actor, 'CHANGED_ICON', params, { changes: unverified?.changes })
    await announceClientChange(deps, id)
  }
  return toClientInfo({ ...client, icon }, deps.clock.now())
}
