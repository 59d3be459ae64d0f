import type { branding, Upload } from '@vrata/contract'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { OperatorActor } from '../../http/actors.ts'
import { replacePicture, uploadPicture } from '../media/public.ts'
import { changeBranding } from './branding.ts'
import { selectBrandingForUpdate } from './store.ts'
import { DELIVERED } from './to-branding.ts'

export type BrandingPicture = 'logo' | 'logo_dark' | 'icon'

/** Rule that sets a picture. It is converted before the transaction begins. */
export function setPicture<P extends BrandingPicture>(field: P) {
  return async (app: AppDeps, actor: OperatorActor, input: Record<P, Upload>): Promise<branding.Branding> => {
    const { user_id } = actor
    const file = await uploadPicture(app, { user_id, upload: input[field], field, framing: 'whole' })
    return await app.transaction((deps) => replace(deps, actor, field, file))
  }
}

/** Rule that removes a picture; succeeds when there is none. */
export function removePicture(field: BrandingPicture) {
  return (deps: TransactionDeps, actor: OperatorActor) => replace(deps, actor, field, null)
}

async function replace(deps: TransactionDeps, actor: OperatorActor, field: BrandingPicture, file: string | null) {
  const row = await selectBrandingForUpdate(deps.db, DELIVERED)
  await replacePicture(deps, row[field], file)
  return await changeBranding(deps, actor, row, { [field]: file })
}
