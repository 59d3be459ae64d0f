import { sql } from 'kysely'
import { prepare } from '../../../db/compiled-queries/prepare.ts'
import { beginsWith } from '../../../db/dialect.ts'
import type { Db, Guard, ReadDb } from '../../../db/open.ts'
import type { ThrottlesTable } from '../../../db/schema.ts'
import { prepareForLogin, selectUserByLogin } from '../../account/public.ts'

/** Begin the keys of an account, and of an account in one browser. */
export const ACCOUNT_PREFIX = 'user:'
export const DEVICE_PREFIX = 'device:'

const throttle = prepare((db, { key }: { key: string }) =>
  db.selectFrom('throttles').selectAll().where('key', '=', key),
)

export async function findThrottle(db: ReadDb, key: string): Promise<ThrottlesTable | undefined> {
  return await throttle.first(db, { key })
}

type SignIn = { network: string; unknown: string; login: string; device_hash: string }

const ofSignIn = prepareForLogin((db, { network, unknown, login, device_hash }: SignIn, column) => {
  const user = selectUserByLogin(db, column, login)
  const account = user.select(sql<string>`${sql.lit(ACCOUNT_PREFIX)} || users.id`.as('key'))
  const device = user.select(sql<string>`${sql.lit(DEVICE_PREFIX)} || users.id || ':' || ${device_hash}`.as('key'))
  return db
    .selectFrom('throttles')
    .selectAll()
    .where((e) => e.or([e('key', 'in', [network, unknown]), e('key', '=', account), e('key', '=', device)]))
})

/** The counters of a network, of an unknown login, and of the account with that login: for all browsers and for one. */
export async function listSignInThrottles(db: ReadDb, signIn: SignIn): Promise<ThrottlesTable[]> {
  return await ofSignIn(signIn).rows(db, signIn)
}

const throttleForUpdate = prepare((db, { key }: { key: string }) =>
  db.selectFrom('throttles').selectAll().where('key', '=', key).forUpdate(),
)

export async function findThrottleForUpdate(db: Db, key: string): Promise<ThrottlesTable | undefined> {
  return await throttleForUpdate.first(db, { key })
}

/** Counts one failure and returns the total. Returns undefined without counting while the key is blocked. */
export async function upsertFailure(db: Db, key: string, now: string): Promise<number | undefined> {
  const row = await db
    .insertInto('throttles')
    .values({ key, failures: 1, blocked_until: null, updated_at: now })
    .onConflict((c) =>
      c
        .column('key')
        .doUpdateSet((e) => ({ failures: e('throttles.failures', '+', 1), updated_at: now }))
        .where((e) => e.or([e('throttles.blocked_until', 'is', null), e('throttles.blocked_until', '<=', now)])),
    )
    .returning('failures')
    .executeTakeFirst()
  return row?.failures
}

/** Inserts a counter without failures unless there is one. */
export async function insertThrottle(db: Db, key: string, now: string): Promise<void> {
  await db
    .insertInto('throttles')
    .values({ key, failures: 0, blocked_until: null, updated_at: now })
    .onConflict((c) => c.doNothing())
    .execute()
}

export async function updateThrottle(db: Db, key: string, changes: Omit<ThrottlesTable, 'key'>): Promise<void> {
  await db.updateTable('throttles').set(changes).where('key', '=', key).execute()
}

export async function updateBlockedUntil(db: Db, key: string, blocked_until: string): Promise<void> {
  await db.updateTable('throttles').set({ blocked_until }).where('key', '=', key).execute()
}

/** Deletes the counters with these keys, and those whose key begins with `prefix`. */
export async function deleteThrottles(db: Db, keys: readonly string[], prefix: string): Promise<void> {
  await db
    .deleteFrom('throttles')
    .where((e) => e.or([e('key', 'in', keys), beginsWith(db, 'key', prefix)]))
    .execute()
}

const unblocked = prepare((db, { key, now }: { key: string; now: string }) =>
  db
    .selectFrom('throttles')
    .select((e) => e.or([e('blocked_until', 'is', null), e('blocked_until', '<=', now)]).as('holds'))
    .where('key', '=', key),
)

/** Holds unless the key is blocked. */
export function unblockedGuard(key: string, now: string): Guard {
  return { statement: unblocked.with({ key, now }), missing: true }
}

const counted = prepare((db, { key }: { key: string }) =>
  db
    .selectFrom('throttles')
    .select((e) => e.lit(false).as('holds'))
    .where('key', '=', key),
)

/** Holds while the key has no counter. */
export function withoutThrottleGuard(key: string): Guard {
  return { statement: counted.with({ key }), missing: true }
}

const unblockedOut = prepare((db, { key, now }: { key: string; now: string }) =>
  db
    .deleteFrom('throttles')
    .where('key', '=', key)
    .returning((e) => e.or([e('blocked_until', 'is', null), e('blocked_until', '<=', now)]).as('holds')),
)

/** Holds unless the key is blocked, and deletes its counter. */
export function deletedThrottleGuard(key: string, now: string): Guard {
  return { statement: unblockedOut.with({ key, now }), missing: true }
}

const throttleOut = prepare((db, { key }: { key: string }) => db.deleteFrom('throttles').where('key', '=', key))

export async function deleteThrottle(db: Db, key: string): Promise<void> {
  await throttleOut.changed(db, { key })
}

/** Deletes old counters except those whose key begins with `keep_prefix`, and returns how many. */
export async function deleteOldThrottles(db: Db, keep_prefix: string, before: string, limit: number): Promise<number> {
  const old = db
    .selectFrom('throttles')
    .select('key')
    .where('updated_at', '<', before)
    .where('key', 'not like', `${keep_prefix}%`)
    .limit(limit)
  const result = await db.deleteFrom('throttles').where('key', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}
