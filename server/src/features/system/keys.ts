import type { InputOf, system } from '@vrata/contract'
import type { AppDeps } from '../../deps.ts'
import type { OperatorActor } from '../../http/actors.ts'

type Deps = Pick<AppDeps, 'signingKeys'>

/** Lists the signing keys, without the keys themselves. */
export async function listSigningKeys({ signingKeys }: Deps): Promise<system.SigningKeyInfo[]> {
  return await signingKeys.list()
}

/** Signs with the next keys. What the former keys signed stays valid. */
export async function rotateSigningKeys({ signingKeys }: Deps, actor: OperatorActor): Promise<system.SigningKeyInfo[]> {
  await signingKeys.rotate(actor)
  return await signingKeys.list()
}

/** Deletes a key at once: no server publishes it or accepts its signatures. Throws `not_found`. */
export async function revokeSigningKey(
  { signingKeys }: Deps,
  actor: OperatorActor,
  { kid }: InputOf<typeof system.revokeSigningKey>,
): Promise<system.SigningKeyInfo[]> {
  await signingKeys.revoke(actor, kid)
  return await signingKeys.list()
}
