import { atLeast, clients, type Level, problem } from '@vrata/contract'
import { clientId } from '@vrata/contract/fields'
import type { ReadDb } from '../../db/open.ts'
import { fromFlag, timeAfter, toFlag, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import { type AnonymousActor, actorWith, type MemberActor } from '../../http/actors.ts'
import { hashToken, newToken } from '../../lib/ids.ts'
import { findUserByEmail } from '../account/public.ts'
import { recordActivity } from '../activity/public.ts'
import { type AuditActor, recordAudit } from '../audit/public.ts'
import {
  addOrigin,
  addRedirectUri,
  createRegisteredClient,
  deleteClient,
  findOwnClientForUpdate,
  listClientOrigins,
  listClientRedirectUris,
  regenerateSecret,
  removeOrigin,
  removeRedirectUri,
  type SectorDocument,
  updateAdvanced,
  updateClientInfo,
  verifyClientSecret,
} from '../clients/public.ts'
import { findDeveloper, isApproved } from '../developers/public.ts'
import { findUsableLevel } from '../members/public.ts'
import { enqueueLogo } from './logo.ts'
import { type ClientDescription, originsOf, parseMetadata } from './metadata.ts'
import {
  consumeRegistrationToken,
  deleteRegistrationToken,
  deleteRegistrationTokens,
  findRegistrationToken,
  insertRegistrationToken,
  isBeingDeleted,
  type RegistrationToken,
} from './store.ts'

/** Token of a registration request and the sender of the request. */
export type RegistrationCredentials = { token: string; visitor: AnonymousActor }
export type RegisteredClient = { client_id: string; client_secret: string | null; registration_access_token: string }

/** `uses`: number of clients that may be registered. `days`: validity. */
export type RegistrationTokenOptions = {
  email: string
  developer_id: string
  uses: number
  days: number
  require_pkce: boolean
}

/**
 * Issues an initial access token for dynamic client registration (RFC 7591 §3) in the name of a member of a developer
 * account; it permits what that member may do at the time of use. The member sees it in the own activity. Returns undefined when
 * no member with this address may create clients.
 */
export async function issueRegistrationToken(
  deps: TransactionDeps,
  actor: AuditActor,
  { email, developer_id, uses, days, require_pkce }: RegistrationTokenOptions,
): Promise<{ token: string; row: RegistrationToken } | undefined> {
  const user = await findUserByEmail(deps.db, email)
  if (!user || !(await findRegistrarLevel(deps.db, developer_id, user.id))) return undefined
  const now = deps.clock.now()
  const token = `vrti_${newToken()}`
  const row = {
    token_hash: hashToken(token),
    developer_id,
    user_id: user.id,
    client_id: null,
    uses_left: uses,
    require_pkce: toFlag(require_pkce),
    created_at: toTime(now),
    expires_at: timeAfter(now, days * 24 * 60 * 60),
  }
  await insertRegistrationToken(deps.db, row)
  const type = 'OPERATOR_CREATED_REGISTRATION_TOKEN'
  await recordActivity(deps, { type, user_id: user.id, from: null, session_id: null })
  await recordAudit(deps, actor, {
    type: 'registration_token.created',
    subject: { kind: 'developer', id: developer_id },
    organization_id: developer_id,
    changes: { user: [null, user.id], uses: [null, uses], days: [null, days], require_pkce: [null, require_pkce] },
  })
  return { token, row }
}

/** Deletes an initial access token by its hash. Throws `not_found`. Clients that were registered with it stay. */
export async function revokeRegistrationToken(
  deps: TransactionDeps,
  actor: AuditActor,
  token_hash: string,
): Promise<void> {
  const gone = await deleteRegistrationToken(deps.db, token_hash)
  if (!gone) throw problem('not_found')
  await recordAudit(deps, actor, {
    type: 'registration_token.deleted',
    subject: { kind: 'developer', id: gone.developer_id },
    organization_id: gone.developer_id,
    changes: { user: [gone.user_id, null] },
  })
}

/** Registers a client (RFC 7591 §3). Throws `unauthenticated` for an invalid token, and the problems of the rules of clients. */
export async function registerClient(
  deps: TransactionDeps,
  presented: RegistrationCredentials,
  metadata: unknown,
  document?: SectorDocument,
): Promise<RegisteredClient> {
  const now = toTime(deps.clock.now())
  const row = await consumeRegistrationToken(deps.db, hashToken(presented.token), now)
  const actor = await toRegistrar(deps, row, presented.visitor)
  const described = parseMetadata(metadata)
  const { type, info, advanced } = described
  const { client_id, client_secret } = await createRegisteredClient(deps, actor, { name: info.name, type })
  const require_pkce = fromFlag(actor.require_pkce) || !advanced.require_client_secret
  await applyMetadata(deps, actor, client_id, { ...described, advanced: { ...advanced, require_pkce }, document })
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
  const secret = await findOrCreateSecret(deps, actor, client_id, { described, known: client_secret })
  return { client_id, client_secret: secret, registration_access_token }
}

/** Throws `unauthenticated` unless the token may read the client (RFC 7592 §2.1). */
export async function authorizeRead(
  deps: Pick<AppDeps, 'db' | 'clock'>,
  presented: RegistrationCredentials,
  client_id: string,
): Promise<void> {
  await findRegistrarOfClient(deps, presented, client_id)
}

/** Replaces the metadata of a client (RFC 7592 §2.2). The client type cannot change. */
export async function updateRegistration(
  deps: TransactionDeps,
  presented: RegistrationCredentials,
  { client_id, metadata, document }: { client_id: string; metadata: unknown; document: SectorDocument | undefined },
): Promise<Pick<RegisteredClient, 'client_secret'>> {
  const actor = await findRegistrarOfClient(deps, presented, client_id)
  // The same check as the guard of members' calls.
  const developer = await findDeveloper(deps.db, actor.developer_id)
  if (developer && !isApproved(developer)) throw problem('organization_not_approved')
  const client = await findOwnClientForUpdate(deps, actor, client_id)
  const described = parseMetadata(metadata, client)
  const credentials = metadata as { client_id?: unknown; client_secret?: unknown }
  if (credentials.client_id !== client_id) throw problem('invalid_request', { fields: { client_id: 'wrong' } })
  const client_secret = credentials.client_secret ?? ''
  if (client_secret !== '' && !verifyClientSecret(client, String(client_secret), deps.clock.now())) {
    throw problem('invalid_request', { fields: { client_secret: 'wrong' } })
  }
  if (described.type !== client.type) throw problem('invalid_request', { fields: { application_type: 'wrong' } })
  const method = client.token_endpoint_auth_method
  // Members can make the secret of an app optional, for which there are no metadata.
  const keeps = described.advanced.token_endpoint_auth_method === method
  const require_client_secret = keeps
    ? fromFlag(client.require_client_secret)
    : described.advanced.require_client_secret
  const require_pkce = fromFlag(client.require_pkce) || !require_client_secret
  const advanced = { ...described.advanced, require_client_secret, require_pkce }
  await applyMetadata(deps, actor, client_id, { ...described, advanced, document })
  // The program does not know the secret of a client that has authenticated in another way: a web app has one from its creation.
  if (client.secret_hash !== null && usesSecret(method)) return { client_secret: null }
  return { client_secret: await findOrCreateSecret(deps, actor, client_id, { described, known: null }) }
}

/** Deletes a client (RFC 7592 §2.3). */
export async function deleteRegistration(
  deps: TransactionDeps,
  presented: RegistrationCredentials,
  client_id: string,
): Promise<void> {
  await deleteClient(deps, await findRegistrarOfClient(deps, presented, client_id), { id: client_id })
}

/** Deletes at most `most` expired tokens. Returns their number. */
export async function pruneRegistrationTokens(
  deps: Pick<TransactionDeps, 'db' | 'clock'>,
  most: number,
): Promise<number> {
  return await deleteRegistrationTokens(deps.db, toTime(deps.clock.now()), most)
}

/** Applies metadata through the rules of clients, so that each change is validated, recorded and announced. */
async function applyMetadata(
  deps: TransactionDeps,
  actor: MemberActor,
  id: string,
  { document, ...described }: ClientDescription & { document: SectorDocument | undefined },
): Promise<void> {
  await updateClientInfo(deps, actor, { id, ...described.info })
  const { logo_uri } = described
  // Our own copy is what we answer; a program that repeats it does not change it.
  if (logo_uri !== null && !logo_uri.startsWith(`${deps.config.url}/`))
    await enqueueLogo(deps, { client_id: id, user_id: actor.user_id, logo_uri })
  await updateAdvanced(deps, actor, { id, ...described.advanced }, { redirect_uris: described.redirect_uris, document })
  const redirect_uris = await listClientRedirectUris(deps, actor, { id })
  const origins = await listClientOrigins(deps, actor, { id })
  const before = originsOf(described.type, redirect_uris)
  const after = originsOf(described.type, described.redirect_uris)
  // Removes before it adds, because the number of addresses is limited.
  for (const redirect_uri of without(redirect_uris, described.redirect_uris)) {
    await removeRedirectUri(deps, actor, { id, redirect_uri })
  }
  // Only those that come and go with redirect URIs: members add others, and remove some.
  for (const origin of without(before, after))
    if (origins.includes(origin)) await removeOrigin(deps, actor, { id, origin })
  for (const redirect_uri of without(described.redirect_uris, redirect_uris)) {
    await addRedirectUri(deps, actor, { id, redirect_uri }, document)
  }
  for (const origin of without(after, before))
    if (!origins.includes(origin)) await addOrigin(deps, actor, { id, origin })
}

const without = (list: readonly string[], others: readonly string[]) => list.filter((one) => !others.includes(one))

/** Returns a secret when the client authenticates with one, and null otherwise. */
async function findOrCreateSecret(
  deps: TransactionDeps,
  actor: MemberActor,
  id: string,
  { described, known }: { described: ClientDescription; known: string | null },
): Promise<string | null> {
  if (!usesSecret(described.advanced.token_endpoint_auth_method)) return null
  return known ?? (await regenerateSecret(deps, actor, { id })).client_secret
}

function usesSecret(method: string | undefined): boolean {
  return /^client_secret_/.test(method ?? '')
}

type Registrar = MemberActor & Pick<RegistrationToken, 'require_pkce'>

async function findRegistrarOfClient(
  deps: Pick<AppDeps, 'db' | 'clock'>,
  { token, visitor }: RegistrationCredentials,
  client_id: string,
): Promise<Registrar> {
  // PostgreSQL fails at a NUL in a parameter.
  const isId = clientId.safeParse(client_id).success
  const row = isId ? await findRegistrationToken(deps.db, { token_hash: hashToken(token), client_id }) : undefined
  return await toRegistrar(deps, row, visitor)
}

/**
 * Returns the member of the token with their current level. A token is invalid when its member has left, and while their account is disabled
 * or being deleted.
 */
async function toRegistrar(
  { db, clock }: Pick<AppDeps, 'db' | 'clock'>,
  row: RegistrationToken | undefined,
  visitor: AnonymousActor,
): Promise<Registrar> {
  const permission = row && (await findRegistrarLevel(db, row.developer_id, row.user_id))
  if (!row || !permission) throw problem('unauthenticated')
  const { developer_id, user_id, require_pkce } = row
  // There is no session that could have been stolen: the token counts as a fresh sign-in (decision 0061).
  const freshSignIn = { session_id: '', authenticated_at: toTime(clock.now()), vouched: false, next_step: null }
  return actorWith(visitor, { ...freshSignIn, user_id, developer_id, permission, require_pkce })
}

async function findRegistrarLevel(db: ReadDb, developer_id: string, user_id: string): Promise<Level | undefined> {
  const level = await findUsableLevel(db, developer_id, user_id)
  if (!level || !atLeast(level, clients.createClient.needs)) return undefined
  return (await isBeingDeleted(db, user_id)) ? undefined : level
}
