import { generateKeyPair as generate, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { clients, LIFETIMES } from '@vrata/contract'
import { calculateJwkThumbprint, type JWK } from 'jose'
import type { Db, ReadDb, Tx } from '../db/open.ts'
import { timeAfter, toTime } from '../db/values.ts'
import type { OpenDeps } from '../deps.ts'
import type { Clock } from '../ports/clock.ts'
import type { Sealing } from '../ports/sealing.ts'
import { ISSUER_CHANNEL } from './channel.ts'

/** ES256 signs unless an app asks otherwise; RS256 must be offered (OpenID Connect Core §15.1). */
export const ALGORITHMS = clients.SIGNING_ALGORITHMS
export type Algorithm = clients.SigningAlgorithm
/** `next` is published before it signs, `retired` for as long as something signed with it may be shown. */
export type KeyState = 'next' | 'active' | 'retired'

export interface SigningKey {
  kid: string
  alg: Algorithm
  state: KeyState
  /** With its private half. */
  jwk: JWK
}

const ORDER: Record<KeyState, number> = { active: 0, next: 1, retired: 2 }
/** An ID token is a valid `id_token_hint` long after it has ended. */
const RETIRED_FOR = LIFETIMES.refresh_absolute
const generateKeyPair = promisify(generate)

/** All published keys, the signing one of each algorithm first. */
export async function listKeys(db: ReadDb, sealing: Sealing): Promise<SigningKey[]> {
  const rows = await db.selectFrom('signing_keys').selectAll().orderBy('changed_at').orderBy('kid').execute()
  return rows
    .map(({ kid, alg, state, jwk }) => ({ kid, alg: alg as Algorithm, state, jwk: openKey(sealing, kid, jwk) }))
    .sort((a, b) => ORDER[a.state] - ORDER[b.state])
}

/** Makes what is missing: a signing key and its successor for each algorithm. Two processes may start at once. */
export async function ensureKeys(deps: OpenDeps): Promise<void> {
  const present = await deps.db.selectFrom('signing_keys').select(['alg', 'state']).execute()
  const missing = ALGORITHMS.flatMap((alg) =>
    (['active', 'next'] as const)
      .filter((state) => !present.some((key) => key.alg === alg && key.state === state))
      .map((state) => ({ alg, state })),
  )
  if (missing.length === 0) return
  const made = await Promise.all(missing.map(async ({ alg, state }) => ({ state, ...(await makeKey(alg)) })))
  await deps.transaction(async ({ db }) => {
    await lockKeys(db)
    for (const key of made) {
      const there = await db
        .selectFrom('signing_keys')
        .select('kid')
        .where('alg', '=', key.alg)
        .where('state', '=', key.state)
        .executeTakeFirst()
      if (!there) await insertKey(db, deps, key)
    }
  })
  await deps.signals.announce(ISSUER_CHANNEL, 'keys')
}

/**
 * Lets the published successors sign from now on and makes new successors. What the former keys signed stays valid.
 * Rotate at most once a day, so that every app has seen the successor (oidc.md §4.6).
 */
export async function rotateKeys(deps: OpenDeps): Promise<void> {
  await rotate(deps, async () => true)
}

/** Does so once the keys have signed for their time; of several servers that find it due, one does it. */
export async function rotateWhenDue(deps: OpenDeps): Promise<void> {
  const due = async (db: ReadDb) => {
    const query = db.selectFrom('signing_keys').select('changed_at').where('state', '=', 'active')
    const keys = await query.execute()
    return keys.some(({ changed_at }) => changed_at < timeAfter(deps.clock.now(), -LIFETIMES.signing_keys))
  }
  if (await due(deps.db)) await rotate(deps, due)
}

async function rotate(deps: OpenDeps, wanted: (db: ReadDb) => Promise<boolean>): Promise<void> {
  const successors = await Promise.all(ALGORITHMS.map(makeKey))
  await deps.transaction(async ({ db }) => {
    await lockKeys(db)
    if (!(await wanted(db))) return
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
  })
}

/** One at a time changes the keys: whoever holds this row. */
async function lockKeys(db: Tx['db']): Promise<void> {
  await db
    .insertInto('settings')
    .values({ key: 'signing_keys', value: '' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: '' }))
    .execute()
}

async function makeKey(alg: Algorithm): Promise<Omit<SigningKey, 'state'>> {
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

async function insertKey(db: Db, { sealing, clock }: { sealing: Sealing; clock: Clock }, key: SigningKey) {
  const now = toTime(clock.now())
  const jwk = sealing.seal(JSON.stringify(key.jwk), contextOf(key.kid))
  await db
    .insertInto('signing_keys')
    .values({ kid: key.kid, alg: key.alg, state: key.state, jwk, created_at: now, changed_at: now })
    .execute()
}

function openKey(sealing: Sealing, kid: string, sealed: string): JWK {
  return JSON.parse(sealing.open(sealed, contextOf(kid))) as JWK
}

const contextOf = (kid: string) => `signing_keys/${kid}`
