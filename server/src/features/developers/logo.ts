import type { developers, InputOf } from '@vrata/contract'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { replacePicture, uploadPicture } from '../media/public.ts'
import { recordDeveloperActivity } from './activity.ts'
import { unverify } from './approval.ts'
import { requireDeveloper, toDeveloper } from './developer.ts'
import { findDeveloperForUpdate, updateDeveloperRow } from './store.ts'

/** Sets the logo (api §5). The picture is converted before the transaction begins. */
export async function setLogo(open: AppDeps, actor: MemberActor, { logo }: InputOf<typeof developers.setLogo>) {
  const file = await uploadPicture(open, { user_id: actor.user_id, upload: logo, field: 'logo', framing: 'whole' })
  return await open.transaction((deps) => replaceLogo(deps, actor, file))
}

/** Removes the logo; succeeds when there is none. */
export async function removeLogo(deps: TransactionDeps, actor: MemberActor) {
  return await replaceLogo(deps, actor, null)
}

async function replaceLogo(
  deps: TransactionDeps,
  actor: MemberActor,
  logo: string | null,
): Promise<developers.Developer> {
  const row = requireDeveloper(await findDeveloperForUpdate(deps.db, actor.developer_id))
  if (logo !== row.logo) {
    await replacePicture(deps, row.logo, logo)
    const unverified = unverify(row)
    await updateDeveloperRow(deps.db, row.id, { logo, ...unverified?.columns })
    const params = logo === null ? { removed: 'true' } : {}
    await recordDeveloperActivity(deps, actor, 'CHANGED_LOGO', params, { changes: unverified?.changes })
  }
  return toDeveloper({ ...row, logo }, actor.permission)
}
