import { type connections, type InputOf, type Locale, problem } from '@vrata/contract'
import { scopeKey } from '@vrata/contract/fields'
import type { ReadDb } from '../../db/open.ts'
import type { ReadDeps } from '../../deps.ts'
import type { Person } from '../../edge/actors.ts'
import type { PendingRequest } from '../../ports/pending-requests.ts'
import { placeIn } from '../../ports/places.ts'
import { findUser, localeOf } from '../account/door.ts'
import { type PublicClient, publicClient } from '../clients/door.ts'
import { describeScopes, knownScopes } from '../scopes/door.ts'
import { connectionOf } from './door.ts'

/** The app and what it asks for, in the first language of the person. */
export async function consent(
  deps: ReadDeps,
  actor: Person,
  input: InputOf<typeof connections.getConsent>,
): Promise<connections.Consent> {
  const client = await askingClient(deps.db, input.client)
  const pending = await pendingRequest(deps, actor, input)
  const asked = [...new Set(input.scopes.split(' ').filter(Boolean))]
  const keys = asked.length > 0 ? asked : (pending?.scopes ?? [])
  await refuseBeyond(deps.db, keys, client, pending)
  const granted = (await connectionOf(deps.db, actor.user_id, input.client))?.scopes ?? []
  const language = await languageOf(deps.db, actor)
  const texts = await describeScopes(deps.db, keys, language)
  return {
    client: client.card,
    scopes: texts.map((text) => ({ ...text, granted: granted.includes(text.key) })),
    redirect_host: pending?.redirect_host ?? null,
    device: pending?.device ? { ...pending.device, location: placeIn(language, pending.device.location) } : null,
  }
}

/** An app that may ask at this moment. */
export async function askingClient(db: ReadDb, client_id: string): Promise<PublicClient> {
  const client = await publicClient(db, client_id)
  if (!client) throw problem('not_found')
  if (!client.enabled) throw problem('client_disabled')
  return client
}

/** The request that waits for this person, in this session, about this app; anybody else's does not exist. */
export async function pendingRequest(
  deps: ReadDeps,
  actor: Person,
  input: { client: string; uid?: string | undefined },
): Promise<PendingRequest | undefined> {
  if (input.uid === undefined) return undefined
  const pending = await deps.requests.find(deps.db, input.uid)
  if (pending?.session_id !== actor.session_id || pending.client_id !== input.client) throw problem('not_found')
  return pending
}

/** Never more than exists, than the app may ask for and, where a request waits, than that asks for. */
export async function refuseBeyond(
  db: ReadDb,
  keys: readonly string[],
  client: PublicClient,
  pending: PendingRequest | undefined,
): Promise<void> {
  const wellFormed = keys.filter((key) => scopeKey.safeParse(key).success)
  const known = await knownScopes(db, wellFormed)
  const refused = keys.find(
    (key) => !known.has(key) || !client.scopes.includes(key) || (pending && !pending.scopes.includes(key)),
  )
  if (refused !== undefined) throw unknownScope(refused)
}

export function unknownScope(key: string) {
  return problem('unknown_scope', { fields: { scopes: 'unknown' }, params: { scope: key.slice(0, 100) } })
}

/** Consent speaks the account's first language (api.md §1), whatever the browser prefers. */
export async function languageOf(db: ReadDb, actor: Person): Promise<Locale> {
  const user = await findUser(db, actor.user_id)
  return user ? localeOf(user) : actor.locale
}
