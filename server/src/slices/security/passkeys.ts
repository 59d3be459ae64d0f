import { type AnswerOf, type InputOf, LIMITS, problem, type security } from '@vrata/contract'
import type { ReadDb } from '../../db/open.ts'
import type { PasskeysTable } from '../../db/schema.ts'
import { fromFlag, fromJson, toFlag, toJson, toTime } from '../../db/values.ts'
import type { Deps, OpenDeps, ReadDeps } from '../../deps.ts'
import type { Person } from '../../edge/actors.ts'
import { newId } from '../../ports/ids.ts'
import { challengeOf, creationOptions, type Known, type NewKey, relyingParty, verifyNew } from '../../ports/passkeys.ts'
import { findUser, lockUser, type User } from '../account/door.ts'
import { record } from '../activity/door.ts'
import { type Asking, consumeChallenge, rememberChallenge } from './passkey-proof.ts'
import * as store from './passkey-store.ts'
import { tellOwner } from './tell-owner.ts'

type Passkey = AnswerOf<typeof security.renamePasskey>

/** api.md §3: GET /account/passkeys, the oldest first. */
export async function listPasskeys(deps: ReadDeps, actor: Person): Promise<Passkey[]> {
  return (await store.listPasskeys(deps.db, actor.user_id)).map(shown)
}

function shown({ synced, ...row }: PasskeysTable): Passkey {
  return { ...row, synced: fromFlag(synced) }
}

/** The passkeys of a person, as the browser is told of them. */
export async function knownPasskeys(db: ReadDb, user_id: string): Promise<Known[]> {
  const rows = await store.listPasskeys(db, user_id)
  return rows.map(({ credential_id, transports }) => ({ credential_id, transports: fromJson<string[]>(transports) }))
}

const asking = (actor: Person): Asking => ({ purpose: 'register', user_id: actor.user_id })

/** api.md §3: POST /account/passkeys/options. */
export async function passkeyOptions(deps: Deps, actor: Person) {
  const user = await findUser(deps.db, actor.user_id)
  if (!user) throw problem('unauthenticated')
  const known = await knownPasskeys(deps.db, user.id)
  if (known.length >= LIMITS.passkeys_per_person) throw tooMany()
  const display_name = [user.first_name, user.last_name].filter(Boolean).join(' ') || user.email
  const named = { id: user.id, name: user.username ?? user.email, display_name }
  const options = creationOptions(relyingParty(deps.config.url), named, known)
  await rememberChallenge(deps, actor, asking(actor), options.challenge)
  return options
}

/** api.md §3: POST /account/passkeys. */
export async function addPasskey(
  open: OpenDeps,
  actor: Person,
  { name, response }: InputOf<typeof security.addPasskey>,
): Promise<Passkey> {
  const challenge = challengeOf(response)
  const asked = await consumeChallenge(open, actor, asking(actor), challenge)
  if (!asked || challenge === undefined) throw problem('invalid_passkey')
  const verified = await verifyNew(relyingParty(open.config.url), challenge, response)
  if (verified.refused !== undefined) {
    open.log.info({ reason: verified.refused, purpose: 'register' }, 'a passkey was refused')
    throw problem('invalid_passkey')
  }
  return await open.transaction(async (deps) => {
    // Locked, so that many at once are no more than there may be.
    const user = await lockUser(deps.db, actor.user_id)
    if (!user) throw problem('unauthenticated')
    const passkey = await keep(deps, user, name, verified.key)
    await tellChanged(deps, actor, user, 'ADDED_PASSKEY')
    return shown(passkey)
  })
}

async function keep(deps: Deps, user: User, name: string, key: NewKey): Promise<PasskeysTable> {
  const { length } = await store.listPasskeys(deps.db, user.id)
  if (length >= LIMITS.passkeys_per_person) throw tooMany()
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

function tooMany() {
  return problem('too_many_passkeys', { params: { max: LIMITS.passkeys_per_person } })
}

/** api.md §3: PATCH /account/passkeys/{id}; somebody else's is not found. */
export async function renamePasskey(
  deps: Deps,
  actor: Person,
  { id, name }: InputOf<typeof security.renamePasskey>,
): Promise<Passkey> {
  const passkey = await store.renamePasskey(deps.db, { id, user_id: actor.user_id }, name)
  if (!passkey) throw problem('not_found')
  return shown(passkey)
}

/** api.md §3: DELETE /account/passkeys/{id}. The last one may go, too: everybody has a password. */
export async function removePasskey(deps: Deps, actor: Person, { id }: InputOf<typeof security.removePasskey>) {
  const user = await lockUser(deps.db, actor.user_id)
  if (!user || !(await store.deletePasskey(deps.db, { id, user_id: user.id }))) throw problem('not_found')
  await tellChanged(deps, actor, user, 'REMOVED_PASSKEY')
  return {}
}

async function tellChanged(deps: Deps, actor: Person, user: User, type: 'ADDED_PASSKEY' | 'REMOVED_PASSKEY') {
  await record(deps, { type, user_id: user.id, from: actor, session_id: actor.session_id })
  await tellOwner(deps, user, type === 'ADDED_PASSKEY' ? 'passkey_added' : 'passkey_removed')
}
