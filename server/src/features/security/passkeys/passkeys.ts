import { type AnswerOf, type InputOf, LIMITS, type NewPasskey, problem, type security } from '@vrata/contract'
import {
  challengeOf,
  creationOptions,
  type Known,
  type NewKey,
  relyingParty,
  verifyNew,
} from '../../../adapters/passkeys.ts'
import type { ReadDb } from '../../../db/open.ts'
import type { PasskeysTable } from '../../../db/schema.ts'
import { fromFlag, fromJson, toFlag, toJson, toTime } from '../../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../../deps.ts'
import type { AnonymousActor, UserActor } from '../../../http/actors.ts'
import { newId } from '../../../lib/ids.ts'
import { findUser, findUserForUpdate, recordPasskeyOffer, type User } from '../../account/public.ts'
import { recordActivity } from '../../activity/public.ts'
import { requireConfirmedEmail } from '../email-verification/confirmed-email.ts'
import { notifyUser } from '../notify-user.ts'
import { requireOtherFactor } from '../required-factor.ts'
import {
  type ChallengeContext,
  challengeKey,
  consumeChallenge,
  createChallenge,
  hasChallenge,
} from './passkey-assertion.ts'
import * as store from './passkey-store.ts'

type Passkey = AnswerOf<typeof security.renamePasskey>

/** The oldest first (api §3.4). */
export async function listPasskeys(deps: Pick<AppDeps, 'db'>, actor: UserActor): Promise<Passkey[]> {
  return (await store.listPasskeys(deps.db, actor.user_id)).map(toPasskeyInfo)
}

function toPasskeyInfo({ synced, ...row }: PasskeysTable): Passkey {
  return { ...row, synced: fromFlag(synced) }
}

/** Returns the passkeys of a user as credential descriptors (WebAuthn §5.8.3). */
export async function listCredentialDescriptors(db: ReadDb, user_id: string): Promise<Known[]> {
  const rows = await store.listPasskeys(db, user_id)
  return rows.map(({ credential_id, transports }) => ({ credential_id, transports: fromJson<string[]>(transports) }))
}

const registrationOf = (user_id: string): ChallengeContext => ({ purpose: 'register', user_id })

/** WebAuthn creation options (api §3.4). */
export async function passkeyOptions(deps: TransactionDeps, actor: UserActor) {
  return await registrationOptions(deps, actor, requireConfirmedEmail(await findUser(deps.db, actor.user_id)))
}

/** Creates WebAuthn creation options for a user, bound to this browser. */
export async function registrationOptions(deps: TransactionDeps, visitor: AnonymousActor, user: User) {
  const known = await listCredentialDescriptors(deps.db, user.id)
  if (known.length >= LIMITS.passkeys_per_person) throw tooManyPasskeys()
  const display_name = [user.first_name, user.last_name].filter(Boolean).join(' ') || user.email
  const named = { id: user.id, name: user.username ?? user.email, display_name }
  const party = { ...relyingParty(deps.config.url), name: deps.branding.now().name ?? 'Vrata' }
  const options = creationOptions(party, named, known)
  await createChallenge(deps, visitor, registrationOf(user.id), options.challenge)
  return options
}

/** A passkey is offered once after a sign-in with the password (design §7.1). */
export async function dismissPasskeyOffer(deps: TransactionDeps, actor: UserActor) {
  await recordPasskeyOffer(deps, actor.user_id)
  return {}
}

/** Registers a passkey (api §3.4). The same one again is answered the same: the first answer may have been lost. */
export async function addPasskey(
  app: AppDeps,
  actor: UserActor,
  { name, response }: InputOf<typeof security.addPasskey>,
): Promise<Passkey> {
  const created = await verifyIfOpen(app, actor, actor.user_id, response)
  return await app.transaction(async (deps) => {
    // Locks the user, so that concurrent requests do not exceed the limit of passkeys.
    const user = requireConfirmedEmail(await findUserForUpdate(deps.db, actor.user_id))
    // An operator may just have removed all passkeys.
    await deps.liveSessions.require(deps, actor)
    if (!created || !(await consumeChallenge(deps, created.challenge)))
      return toPasskeyInfo(await findRegistered(deps, user, response))
    const passkey = await insertPasskey(deps, user, name, created.key)
    await recordPasskeyChange(deps, actor, actor.session_id, user, 'ADDED_PASSKEY')
    return toPasskeyInfo(passkey)
  })
}

/** The passkey of the user that a repeated request has registered before. Throws `invalid_passkey`. */
async function findRegistered(deps: TransactionDeps, user: User, { id }: NewPasskey): Promise<PasskeysTable> {
  const passkey = await store.findPasskey(deps.db, id)
  if (passkey?.user_id !== user.id) throw problem('invalid_passkey')
  return passkey
}

/** A passkey that the browser has created, verified. The transaction that stores it consumes the challenge. */
type CreatedPasskey = { key: NewKey; challenge: store.ChallengeKey }

/**
 * Verifies a passkey that the browser has created for a user with the options of this browser. Throws `invalid_passkey`. The challenge is consumed
 * when the passkey is not valid, or else by `insertNewPasskey`, so that a request that is refused for another reason can be sent again (decision 0023).
 */
export async function verifyRegistration(
  app: AppDeps,
  visitor: AnonymousActor,
  user_id: string,
  response: NewPasskey,
): Promise<CreatedPasskey> {
  const created = await verifyIfOpen(app, visitor, user_id, response)
  if (!created) throw problem('invalid_passkey')
  return created
}

/** `verifyRegistration`; resolves with undefined when this browser does not have the challenge, or no longer. */
async function verifyIfOpen(
  app: AppDeps,
  visitor: AnonymousActor,
  user_id: string,
  response: NewPasskey,
): Promise<CreatedPasskey | undefined> {
  const challenge = challengeOf(response) ?? ''
  const asked = challengeKey(visitor, registrationOf(user_id), challenge)
  if (!(await hasChallenge(app, asked))) return undefined
  const verified = await verifyNew(relyingParty(app.config.url), challenge, response)
  if (verified.rejection === undefined) return { key: verified.key, challenge: asked }
  await app.transaction((deps) => consumeChallenge(deps, asked))
  app.log.info({ reason: verified.rejection, purpose: 'register' }, 'passkey rejected')
  throw problem('invalid_passkey')
}

/** Consumes the challenge and stores a verified passkey. The caller has locked the user. */
export async function insertNewPasskey(
  deps: TransactionDeps,
  user: User,
  name: string,
  { key, challenge }: CreatedPasskey,
): Promise<PasskeysTable> {
  if (!(await consumeChallenge(deps, challenge))) throw problem('invalid_passkey')
  return await insertPasskey(deps, user, name, key)
}

async function insertPasskey(deps: TransactionDeps, user: User, name: string, key: NewKey): Promise<PasskeysTable> {
  const { length } = await store.listPasskeys(deps.db, user.id)
  if (length >= LIMITS.passkeys_per_person) throw tooManyPasskeys()
  const passkey: PasskeysTable = {
    id: newId(deps.clock),
    user_id: user.id,
    credential_id: key.credential_id,
    public_key: key.public_key,
    counter: String(key.counter),
    transports: toJson(key.transports),
    aaguid: key.aaguid,
    synced: toFlag(key.synced),
    backed_up: toFlag(key.backed_up),
    name,
    created_at: toTime(deps.clock.now()),
    last_used_at: null,
  }
  if (!(await store.insertPasskey(deps.db, passkey))) throw problem('passkey_exists')
  return passkey
}

function tooManyPasskeys() {
  return problem('too_many_passkeys', { params: { max: LIMITS.passkeys_per_person } })
}

/** Throws `not_found` for a passkey of another user (api §3.4). */
export async function renamePasskey(
  deps: TransactionDeps,
  actor: UserActor,
  { id, name }: InputOf<typeof security.renamePasskey>,
): Promise<Passkey> {
  const passkey = await store.updatePasskeyName(deps.db, { id, user_id: actor.user_id }, name)
  if (!passkey) throw problem('not_found')
  return toPasskeyInfo(passkey)
}

/** Removes a passkey, also the last one unless nothing else signs the user in: a password can be set by a mailed link (api §3.4). */
export async function removePasskey(
  deps: TransactionDeps,
  actor: UserActor,
  { id }: InputOf<typeof security.removePasskey>,
) {
  // Locked before the user, in the order of a document of settings (decision 0118).
  const { password_sign_in } = await deps.policy.findForShare(deps.db)
  const user = await findUserForUpdate(deps.db, actor.user_id)
  const known = user ? await store.listPasskeys(deps.db, user.id) : []
  if (!user || !known.some((one) => one.id === id)) throw problem('not_found')
  await requireOtherFactor(deps, user.id, 'passkey')
  if (known.length === 1 && !password_sign_in) throw problem('last_passkey')
  await deps.revoke('passkey_removed', { user_id: user.id, passkey_id: id })
  await recordPasskeyChange(deps, actor, actor.session_id, user, 'REMOVED_PASSKEY')
  return {}
}

/** Records a passkey that was added or removed in a session, and mails the user. */
export async function recordPasskeyChange(
  deps: TransactionDeps,
  from: AnonymousActor,
  session_id: string,
  user: User,
  type: 'ADDED_PASSKEY' | 'REMOVED_PASSKEY',
): Promise<void> {
  await recordActivity(deps, { type, user_id: user.id, from, session_id })
  await notifyUser(deps, user, type === 'ADDED_PASSKEY' ? 'passkey_added' : 'passkey_removed', from)
}
