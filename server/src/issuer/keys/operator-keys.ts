import type { AppDeps } from '../../deps.ts'
import type { SigningKeys } from '../../features/extension-points.ts'
import { listKeys, revokeKeys, rotateKnownKeys } from './signing-keys.ts'

/** Signing keys for operators (operators §2), without the private keys. `deps` are bound before they are read. */
export function operatorKeys(deps: () => AppDeps): SigningKeys {
  return {
    list: async () => (await listKeys(deps())).map(({ jwk: _, ...key }) => key),
    rotate: (actor) => rotateKnownKeys(deps(), actor),
    revoke: (actor, kid) => revokeKeys(deps(), actor, [kid]),
  }
}
