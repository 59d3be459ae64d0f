import { generateKeyPair as generate, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { clients, LIFETIMES, problem } from '@vrata/contract'
import { calculateJwkThumbprint, type JWK } from 'jose'
import type { Db, ReadDb } from '../../db/open.ts'
import { lockSetting } from '../../db/settings.ts'
import { timeAfter, toTime } from '../../db/values.ts'
import type { AppDeps } from '../../deps.ts'
import { type AuditActor, recordAudit } from '../../features/audit/public.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Encryption } from '../../lib/encryption.ts'
import { EDDSA_IN_USE, isEddsaInUse } from './eddsa-in-use.ts'
import { ISSUER_CHANNEL } from './issuer-channel.ts'

/** RS256 is the default and must be offered (OpenID Connect Core §15.1). */
export const ALGORITHMS = clients.SIGNING_ALGORITHMS
export type Algorithm = clients.SigningAlgorithm
/** `next`: published and not yet signing. `retired`: no longer signing. */
export type KeyState = 'next' | 'active' | 'retired'

export interface SigningKey {
  kid: string
  alg: Algorithm
  state: KeyState
  /**
   * Whether clients get it from `/jwks`. Other retired keys verify ID tokens that are presented to us as a hint; keys of EdDSA
   * wait for the first app that chooses it, because popular libraries reject a whole key set with a key of an unknown type.
   */
  published: boolean
  created_at: string
  changed_at: string
  /** Includes the private key. */
  jwk: JWK
}

const ORDER: Record<KeyState, number> = { active: 0, next: 1, retired: 2 }
/** An ID token is a valid `id_token_hint` long after it has expired. */
const RETIRED_FOR = LIFETIMES.refresh_absolute
/**
 * A retired key is published as long as a token that it signed can live; another node may sign with it until it has
 * noticed the rotation.
 */
const PUBLISHED_FOR = LIFETIMES.access_token_max + 60
/** Seconds for which keys and discovery may be cached; a key is published for a day before it signs (protocol §4.6). */
export const CACHED_FOR = 600
const generateKeyPair = promisify(generate)

/** All keys; of each algorithm the active one first. */
export async function listKeys({ db, encryption, clock }: Pick<AppDeps, 'db' | 'encryption' | 'clock'>) {
  const rows = await db.selectFrom('signing_keys').selectAll().orderBy('changed_at').orderBy('kid').execute()
  const eddsaInUse = await isEddsaInUse(db)
  const published_since = timeAfter(clock.now(), -PUBLISHED_FOR)
  return rows
    .map(
      ({ kid, alg, state, jwk, created_at, changed_at }): SigningKey => ({
        kid,
        alg: alg as Algorithm,
        state,
        published: (state !== 'retired' || changed_at > published_since) && (alg !== 'EdDSA' || eddsaInUse),
        created_at,
        changed_at,
        jwk: decryptKey(encryption, kid, jwk),
      }),
    )
    .sort((a, b) => ORDER[a.state] - ORDER[b.state])
}

/** A text that differs when a key was added, activated, retired or revoked, and when the first app has chosen EdDSA. */
export async function readKeyStates(db: ReadDb): Promise<string> {
  const keys = await db.selectFrom('signing_keys').select(['kid', 'state']).execute()
  return keyStatesOf(keys, await isEddsaInUse(db))
}

/** The text of `readKeyStates` for keys that have been read already. */
export function keyStatesOf(keys: readonly Pick<SigningKey, 'kid' | 'state'>[], eddsaInUse: boolean): string {
  const states = keys.map(({ kid, state }) => `${kid}=${state}`).sort()
  return [...states, ...(eddsaInUse ? [EDDSA_IN_USE] : [])].join(' ')
}

/** Creates the missing active and next keys of each algorithm; resolves like `listKeys`. Safe when two processes start at once. */
export async function ensureKeys(deps: AppDeps): Promise<SigningKey[]> {
  const present = await listKeys(deps)
  const missing = ALGORITHMS.flatMap((alg) =>
    (['active', 'next'] as const)
      .filter((state) => !present.some((key) => key.alg === alg && key.state === state))
      .map((state) => ({ alg, state })),
  )
  if (missing.length === 0) return present
  const created = await Promise.all(missing.map(async ({ alg, state }) => ({ state, ...(await createKey(alg)) })))
  await deps.transaction(async ({ db }) => {
    await lockSetting(db, 'signing_keys')
    for (const key of created) {
      const existing = await db
        .selectFrom('signing_keys')
        .select('kid')
        .where('alg', '=', key.alg)
        .where('state', '=', key.state)
        .executeTakeFirst()
      if (!existing) await insertKey(db, deps, key)
    }
  })
  await deps.signals.announce(ISSUER_CHANNEL, 'keys')
  return await listKeys(deps)
}

/**
 * Activates the next keys and creates new ones. Signatures of the former keys stay valid. Rotate at most once a day, so
 * that every client has fetched the next keys (protocol §4.6).
 */
export async function rotateKeys(deps: AppDeps, actor: AuditActor): Promise<void> {
  await rotate(deps, actor, async () => true)
}

/**
 * `rotateKeys` for the page of operators. Throws `too_many_requests` while caches of apps may lack the next keys, because they were published by
 * the last change: who has not got the answer to that asks again.
 */
export async function rotateKnownKeys(deps: AppDeps, actor: AuditActor): Promise<void> {
  await rotate(deps, actor, async (db) => {
    const seconds = await secondsUntilKnown(deps, db)
    if (seconds > 0) throw problem('too_many_requests', { retry_after: seconds, params: { seconds } })
    return true
  })
}

/** Keys that are active since their creation, with the first start, count as never changed. */
async function secondsUntilKnown({ clock }: Pick<AppDeps, 'clock'>, db: ReadDb): Promise<number> {
  const changed = await db
    .selectFrom('signing_keys')
    .select('changed_at')
    .where('state', '=', 'active')
    .whereRef('changed_at', '>', 'created_at')
    .orderBy('changed_at', 'desc')
    .executeTakeFirst()
  return changed ? Math.ceil((Date.parse(changed.changed_at) - clock.now().getTime()) / 1000) + CACHED_FOR : 0
}

/** Rotates when the active keys are old enough. Only one of several processes does it. */
export async function rotateWhenDue(deps: AppDeps): Promise<void> {
  const isDue = async (db: ReadDb) => {
    const query = db.selectFrom('signing_keys').select('changed_at').where('state', '=', 'active')
    const keys = await query.execute()
    return keys.some(({ changed_at }) => changed_at < timeAfter(deps.clock.now(), -LIFETIMES.signing_keys))
  }
  if (await isDue(deps.db)) await rotate(deps, 'system', isDue)
}

async function rotate(deps: AppDeps, actor: AuditActor, isDue: (db: ReadDb) => Promise<boolean>): Promise<void> {
  const successors = await Promise.all(ALGORITHMS.map(createKey))
  await deps.transaction(async (tx) => {
    const { db } = tx
    await lockSetting(db, 'signing_keys')
    if (!(await isDue(db))) return
    const before = await activeKeys(db)
    const changed_at = toTime(deps.clock.now())
    const move = (from: KeyState, to: KeyState) =>
      db.updateTable('signing_keys').set({ state: to, changed_at }).where('state', '=', from).execute()
    await move('active', 'retired')
    await move('next', 'active')
    for (const key of successors) await insertKey(db, deps, { ...key, state: 'next' })
    await db
      .deleteFrom('signing_keys')
      .where('state', '=', 'retired')
      .where('changed_at', '<', timeAfter(deps.clock.now(), -RETIRED_FOR))
      .execute()
    await deps.signals.announce(ISSUER_CHANNEL, 'keys')
    const after = await activeKeys(db)
    const changes = Object.fromEntries(
      ALGORITHMS.map((alg): [string, [string | null, string | null]] => [
        alg,
        [before[alg] ?? null, after[alg] ?? null],
      ]),
    )
    await recordAudit(tx, actor, { type: 'key.rotated', subject: { kind: 'key', id: 'active' }, changes })
  })
}

/** Id of the active key by algorithm. */
async function activeKeys(db: ReadDb): Promise<Partial<Record<string, string>>> {
  const keys = await db.selectFrom('signing_keys').select(['kid', 'alg']).where('state', '=', 'active').execute()
  return Object.fromEntries(keys.map(({ kid, alg }) => [alg, kid]))
}

/**
 * Revokes keys at once: they are deleted, so that no node publishes them or accepts their signatures. The next key of the
 * algorithm replaces an active one. Throws `not_found` for an unknown key.
 */
export async function revokeKeys(deps: AppDeps, actor: AuditActor, kids: readonly string[]): Promise<void> {
  const present = await deps.db
    .selectFrom('signing_keys')
    .select(['kid', 'alg', 'state'])
    .where('kid', 'in', kids)
    .execute()
  const unknown = kids.filter((kid) => !present.some((key) => key.kid === kid))
  if (unknown.length > 0) throw problem('not_found', { message: `no signing key ${unknown.join(', ')}` })
  const successors = await Promise.all(present.map(({ alg }) => createKey(alg as Algorithm)))
  await deps.transaction(async (tx) => {
    const { db } = tx
    await lockSetting(db, 'signing_keys')
    const gone = await db.deleteFrom('signing_keys').where('kid', 'in', kids).executeTakeFirst()
    if (gone.numDeletedRows !== BigInt(present.length)) throw problem('not_found')
    const changed_at = toTime(deps.clock.now())
    const ofState = (alg: string, state: KeyState) =>
      db.selectFrom('signing_keys').select('kid').where('alg', '=', alg).where('state', '=', state).executeTakeFirst()
    for (const alg of ALGORITHMS) {
      const next = await ofState(alg, 'next')
      if (next && !(await ofState(alg, 'active')))
        await db.updateTable('signing_keys').set({ state: 'active', changed_at }).where('kid', '=', next.kid).execute()
    }
    for (const key of successors) {
      for (const state of ['active', 'next'] as const) {
        if (await ofState(key.alg, state)) continue
        await insertKey(db, deps, { ...key, state })
        break
      }
    }
    await deps.signals.announce(ISSUER_CHANNEL, 'keys')
    for (const { kid, state } of present)
      await recordAudit(tx, actor, {
        type: 'key.revoked',
        subject: { kind: 'key', id: kid },
        changes: { state: [state, null] },
      })
  })
}

/** Encrypts the private keys with the current secret. */
export async function resealKeys(deps: Pick<AppDeps, 'transaction'>): Promise<number> {
  return await deps.transaction(async ({ db, encryption }) => {
    await lockSetting(db, 'signing_keys')
    let resealed = 0
    for (const { kid, jwk } of await db.selectFrom('signing_keys').select(['kid', 'jwk']).execute()) {
      const sealed = encryption.reseal(jwk, contextOf(kid))
      if (sealed === undefined) continue
      await db.updateTable('signing_keys').set({ jwk: sealed }).where('kid', '=', kid).execute()
      resealed += 1
    }
    return resealed
  })
}

type NewKey = Pick<SigningKey, 'kid' | 'alg' | 'state' | 'jwk'>

async function createKey(alg: Algorithm): Promise<Omit<NewKey, 'state'>> {
  const { privateKey } = await GENERATE[alg]()
  const jwk = privateKey.export({ format: 'jwk' }) as JWK
  const kid = await calculateJwkThumbprint(jwk)
  return { kid, alg, jwk: { ...jwk, kid, alg, use: 'sig' } }
}

const GENERATE: Record<Algorithm, () => Promise<{ privateKey: KeyObject }>> = {
  ES256: () => generateKeyPair('ec', { namedCurve: 'P-256' }),
  RS256: () => generateKeyPair('rsa', { modulusLength: 2048 }),
  EdDSA: () => generateKeyPair('ed25519'),
}

async function insertKey(db: Db, { encryption, clock }: { encryption: Encryption; clock: Clock }, key: NewKey) {
  const now = toTime(clock.now())
  const jwk = encryption.encrypt(JSON.stringify(key.jwk), contextOf(key.kid))
  await db
    .insertInto('signing_keys')
    .values({ kid: key.kid, alg: key.alg, state: key.state, jwk, created_at: now, changed_at: now })
    .execute()
}

function decryptKey(encryption: Encryption, kid: string, encrypted: string): JWK {
  return JSON.parse(encryption.decrypt(encrypted, contextOf(kid))) as JWK
}

const contextOf = (kid: string) => `signing_keys/${kid}`
