import { type AnswerOf, type InputOf, problem, type system } from '@vrata/contract'
import { fromFlag, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { OperatorActor } from '../../http/actors.ts'
import { findUsers } from '../account/public.ts'
import {
  issueRegistrationToken,
  listRegistrationTokens as listTokens,
  type RegistrationToken,
  revokeRegistrationToken,
} from '../client-registration/public.ts'
import { displayName, findDeveloperCards } from '../developers/public.ts'

type ReadDeps = Pick<AppDeps, 'db' | 'clock'>

/** Lists the valid tokens for registering apps. Their ids are the hashes, which open nothing. */
export async function listRegistrationTokens(deps: ReadDeps): Promise<system.RegistrationTokenInfo[]> {
  return await describe(deps, await listTokens(deps.db, toTime(deps.clock.now())))
}

/** Creates a token, as `vrata client registration-token` does. Throws `not_found` for a member who may not create apps. */
export async function createRegistrationToken(
  deps: TransactionDeps,
  actor: OperatorActor,
  { pkce_optional, ...terms }: InputOf<typeof system.createRegistrationToken>,
): Promise<AnswerOf<typeof system.createRegistrationToken>> {
  const issued = await issueRegistrationToken(deps, actor, { ...terms, require_pkce: !pkce_optional })
  if (!issued) throw problem('not_found', { fields: { email: 'wrong' } })
  const [info] = await describe(deps, [issued.row])
  if (!info) throw problem('not_found')
  return { ...info, token: issued.token, registration_on: deps.config.client_registration }
}

/** Deletes a token. Throws `not_found`. */
export async function deleteRegistrationToken(
  deps: TransactionDeps,
  actor: OperatorActor,
  { id }: InputOf<typeof system.deleteRegistrationToken>,
) {
  await revokeRegistrationToken(deps, actor, id)
  return {}
}

async function describe(
  { db }: Pick<AppDeps, 'db'>,
  tokens: RegistrationToken[],
): Promise<system.RegistrationTokenInfo[]> {
  const developers = await findDeveloperCards(db, [...new Set(tokens.map((one) => one.developer_id))])
  const users = new Map(
    (await findUsers(db, [...new Set(tokens.map((one) => one.user_id))])).map((user) => [user.id, displayName(user)]),
  )
  return tokens.map(({ token_hash, developer_id, user_id, uses_left, require_pkce, created_at, expires_at }) => ({
    id: token_hash,
    developer: { id: developer_id, name: developers.get(developer_id)?.name ?? '' },
    user: { id: user_id, name: users.get(user_id) ?? '' },
    uses_left,
    pkce_optional: !fromFlag(require_pkce),
    created_at,
    expires_at: expires_at ?? created_at,
  }))
}
