import type { ReadDb } from '../../db/open.ts'
import { findSetting, insertSetting } from '../../db/settings.ts'
import type { TransactionDeps } from '../../deps.ts'
import { findIssuerClient } from '../../features/clients/public.ts'
import { ISSUER_CHANNEL } from './issuer-channel.ts'

/** The setting exists once an app has chosen signatures by EdDSA. */
export const EDDSA_IN_USE = 'eddsa_in_use'

export async function isEddsaInUse(db: ReadDb): Promise<boolean> {
  return (await findSetting(db, EDDSA_IN_USE)) !== undefined
}

/**
 * Publishes the keys of EdDSA when an app has chosen it for a signature of ours. Popular libraries reject a whole key set
 * with a key of an unknown type (decision 0036).
 */
export async function publishEddsaKeys(deps: TransactionDeps, { client_id }: { client_id: string }): Promise<void> {
  const client = await findIssuerClient(deps.db, client_id)
  const algorithms = [
    client?.id_token_signed_response_alg,
    client?.authorization_signed_response_alg,
    client?.userinfo_signed_response_alg,
    client?.introspection_signed_response_alg,
  ]
  if (!algorithms.includes('EdDSA') || (await isEddsaInUse(deps.db))) return
  await insertSetting(deps.db, EDDSA_IN_USE, 'true')
  await deps.signals.announce(ISSUER_CHANNEL, 'keys')
}
