import { atLeast, clients, type Level, problem } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import { fromFlag, timeAfter, toFlag, toTime } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Member, Visitor } from '../../edge/actors.ts'
import { hashToken, newToken } from '../../ports/ids.ts'
import { findUserByEmail } from '../account/door.ts'
import { levelOf } from '../developers/door.ts'
import { updateAdvanced } from './advanced.ts'
import { createClient } from './create.ts'
import { deleteClient, updateClientInfo } from './info.ts'
import { addOrigin, originsOf, removeOrigin } from './origins.ts'
import { ownClientToChange } from './own-client.ts'
import { addRedirectUri, redirectUrisOf, removeRedirectUri } from './redirect-uris.ts'
import { type Described, describedBy } from './registration-metadata.ts'
import {
  deleteRegistrationTokens,
  findRegistrationToken,
  insertRegistrationToken,
  type RegistrationToken,
  spendRegistrationToken,
} from './registration-store.ts'
import { regenerateSecret, verifyClientSecret } from './secret.ts'

/** A program that shows its token. */
export type Presented = { token: string; visitor: Visitor }
export type Registered = { client_id: string; client_secret: string | null; registration_access_token: string }

/** For `days`, and for so many apps, which need PKCE unless told otherwise. */
export type TokenTerms = { email: string; developer_id: string; uses: number; days: number; require_pkce: boolean }

/**
 * A token with which a program may register apps for a member of an organisation (RFC 7591 §3): never more than that member
 * may do at that moment. Undefined: nobody with this address may register apps there.
 */
export async function issueRegistrationToken(
  deps: Pick<Deps, 'db' | 'clock'>,
  { email, developer_id, uses, days, require_pkce }: TokenTerms,
): Promise<string | undefined> {
  const user = await findUserByEmail(deps.db, email)
  if (!user || !(await mayRegister(deps.db, developer_id, user.id))) return undefined
  const now = deps.clock.now()
  const token = `vrti_${newToken()}`
  await insertRegistrationToken(deps.db, {
    token_hash: hashToken(token),
    developer_id,
    user_id: user.id,
    client_id: null,
    uses_left: uses,
    require_pkce: toFlag(require_pkce),
    created_at: toTime(now),
    expires_at: timeAfter(now, days * 24 * 60 * 60),
  })
  return token
}

/** Throws `unauthenticated` for a token that is not good (any more), and what the rules of apps throw. */
export async function registerClient(deps: Deps, presented: Presented, metadata: unknown): Promise<Registered> {
  const now = toTime(deps.clock.now())
  const row = await spendRegistrationToken(deps.db, hashToken(presented.token), now)
  const actor = await memberBehind(deps, row, presented.visitor)
  const described = describedBy(metadata)
  const { type, info, advanced } = described
  const { client_id, client_secret } = await createClient(deps, actor, { name: info.name, type })
  const require_pkce = fromFlag(actor.require_pkce) || !advanced.require_client_secret
  await describe(deps, actor, client_id, { ...described, advanced: { ...advanced, require_pkce } })
  const registration_access_token = `vrtr_${newToken()}`
  await insertRegistrationToken(deps.db, {
    token_hash: hashToken(registration_access_token),
    developer_id: actor.developer_id,
    user_id: actor.user_id,
    client_id,
    uses_left: 0,
    require_pkce: actor.require_pkce,
    created_at: now,
    expires_at: null,
  })
  const secret = await secretOf(deps, actor, client_id, { described, known: client_secret })
  return { client_id, client_secret: secret, registration_access_token }
}

/** RFC 7592 §2.1: may this program see the app? Throws `unauthenticated` if not. */
export async function allowReading(deps: ReadDeps, presented: Presented, client_id: string): Promise<void> {
  await managerOf(deps, presented, client_id)
}

/** RFC 7592 §2.2: what is said now is all that is said. The kind of an app stays. */
export async function replaceRegistration(
  deps: Deps,
  presented: Presented,
  { client_id, metadata }: { client_id: string; metadata: unknown },
): Promise<Pick<Registered, 'client_secret'>> {
  const actor = await managerOf(deps, presented, client_id)
  const client = await ownClientToChange(deps, actor, client_id)
  const described = describedBy(metadata)
  const said = metadata as { client_id?: unknown; client_secret?: unknown }
  if (said.client_id !== client_id) throw problem('invalid_request', { fields: { client_id: 'wrong' } })
  const { client_secret = '' } = said
  if (client_secret !== '' && !verifyClientSecret(client, String(client_secret), deps.clock.now())) {
    throw problem('invalid_request', { fields: { client_secret: 'wrong' } })
  }
  if (described.type !== client.type) throw problem('invalid_request', { fields: { application_type: 'wrong' } })
  const require_pkce = fromFlag(client.require_pkce) || !described.advanced.require_client_secret
  await describe(deps, actor, client_id, { ...described, advanced: { ...described.advanced, require_pkce } })
  if (client.secret_hash !== null) return { client_secret: null }
  return { client_secret: await secretOf(deps, actor, client_id, { described, known: null }) }
}

/** RFC 7592 §2.3: what has made an app may take it away. */
export async function endRegistration(deps: Deps, presented: Presented, client_id: string): Promise<void> {
  await deleteClient(deps, await managerOf(deps, presented, client_id), { id: client_id })
}

/** Deletes up to `most` tokens that are over; answers how many. */
export async function pruneRegistrationTokens(deps: Pick<Deps, 'db' | 'clock'>, most: number): Promise<number> {
  return await deleteRegistrationTokens(deps.db, toTime(deps.clock.now()), most)
}

/** Goes through the rules that its members go through, so that each change is checked, written down and told. */
async function describe(deps: Deps, actor: Member, id: string, described: Described): Promise<void> {
  await updateClientInfo(deps, actor, { id, ...described.info })
  await updateAdvanced(deps, actor, { id, ...described.advanced })
  const { redirect_uris } = await redirectUrisOf(deps, actor, { id })
  const { origins } = await originsOf(deps, actor, { id })
  // Removed before others are added: there is room for so many at once.
  for (const redirect_uri of without(redirect_uris, described.redirect_uris)) {
    await removeRedirectUri(deps, actor, { id, redirect_uri })
  }
  for (const origin of without(origins, described.origins)) await removeOrigin(deps, actor, { id, origin })
  for (const redirect_uri of without(described.redirect_uris, redirect_uris)) {
    await addRedirectUri(deps, actor, { id, redirect_uri })
  }
  for (const origin of without(described.origins, origins)) await addOrigin(deps, actor, { id, origin })
}

const without = (list: readonly string[], others: readonly string[]) => list.filter((one) => !others.includes(one))

/** Only what proves itself by a secret is told one. */
async function secretOf(
  deps: Deps,
  actor: Member,
  id: string,
  { described, known }: { described: Described; known: string | null },
): Promise<string | null> {
  if (!/^client_secret_/.test(described.advanced.token_endpoint_auth_method ?? '')) return null
  return known ?? (await regenerateSecret(deps, actor, { id })).client_secret
}

type Manager = Member & Pick<RegistrationToken, 'require_pkce'>

async function managerOf(deps: ReadDeps, { token, visitor }: Presented, client_id: string): Promise<Manager> {
  const row = await findRegistrationToken(deps.db, { token_hash: hashToken(token), client_id })
  return await memberBehind(deps, row, visitor)
}

/** The member for whom a program acts, as they stand now; somebody who has left takes their programs along. */
async function memberBehind(
  { db, clock }: Pick<ReadDeps, 'db' | 'clock'>,
  row: RegistrationToken | undefined,
  visitor: Visitor,
): Promise<Manager> {
  const permission = row && (await mayRegister(db, row.developer_id, row.user_id))
  if (!row || !permission) throw problem('unauthenticated')
  const { developer_id, user_id, require_pkce } = row
  // There is no session here that could have been stolen: the token is its own proof (decision 0171).
  const proof = { session_id: '', authenticated_at: toTime(clock.now()), vouched: false }
  return { ...visitor, ...proof, user_id, developer_id, permission, require_pkce }
}

async function mayRegister(db: ReadDb, developer_id: string, user_id: string): Promise<Level | undefined> {
  const level = await levelOf(db, developer_id, user_id)
  return level && atLeast(level, clients.createClient.needs) ? level : undefined
}
