import type { Compilable, Expression } from 'kysely'
import { type Prepared, prepare } from '../../db/compiled-queries/prepare.ts'
import { isUniqueViolation } from '../../db/dialect.ts'
import type { Db, Guard, ReadDb } from '../../db/open.ts'
import type { UsersTable } from '../../db/schema.ts'
import type { JsonText } from '../../db/values.ts'
import { inBatches } from '../../lib/batches.ts'
import { accountTerms, SEARCHED_COLUMNS } from './search-terms.ts'

/** Returns false when the address or the user name is taken. */
export async function insertUser(db: Db, row: UsersTable): Promise<boolean> {
  const result = await db
    .insertInto('users')
    .values(row)
    .onConflict((c) => c.doNothing())
    .executeTakeFirst()
  if (result.numInsertedOrUpdatedRows !== 1n) return false
  await insertTerms(db, row)
  return true
}

async function insertTerms(db: Db, user: UsersTable): Promise<void> {
  const rows = accountTerms(user).map((term) => ({ term, user_id: user.id }))
  await db.insertInto('account_terms').values(rows).execute()
}

/** When the oldest account was created; undefined without accounts. */
export async function findOldestAccountTime(db: ReadDb): Promise<string | undefined> {
  // Ids begin with the time.
  const oldest = await db.selectFrom('users').select('created_at').orderBy('id').limit(1).executeTakeFirst()
  return oldest?.created_at
}

const byId = prepare((db, { id }: { id: string }) => db.selectFrom('users').selectAll().where('id', '=', id))

export async function findUser(db: ReadDb, id: string): Promise<UsersTable | undefined> {
  return await byId.first(db, { id })
}

export async function findUsers(db: ReadDb, ids: readonly string[]): Promise<UsersTable[]> {
  return await inBatches(ids, (some) => db.selectFrom('users').selectAll().where('id', 'in', some).execute())
}

/** Finds the accounts of many addresses. */
export async function findUsersByEmail(
  db: ReadDb,
  emails: readonly string[],
): Promise<Pick<UsersTable, 'id' | 'email' | 'email_verified_at'>[]> {
  const query = db.selectFrom('users').select(['id', 'email', 'email_verified_at'])
  return await inBatches(emails, (some) => query.where('email', 'in', some).execute())
}

/** Deletes the user and, by foreign keys, all rows that refer to it. */
export async function deleteUser(db: Db, id: string): Promise<void> {
  await db.deleteFrom('users').where('id', '=', id).execute()
}

/** Locks with FOR NO KEY UPDATE, so that other transactions can still insert rows that refer to the user. */
const byIdForUpdate = prepare((db, { id }: { id: string }) =>
  db.selectFrom('users').selectAll().where('id', '=', id).forNoKeyUpdate(),
)

export async function findUserForUpdate(db: Db, id: string): Promise<UsersTable | undefined> {
  return await byIdForUpdate.first(db, { id })
}

type Verified = Pick<UsersTable, 'id' | 'password_updated_at' | 'token_generation' | 'session_generation' | 'email'>

const unchanged = prepare((db, { id, password_updated_at, token_generation, session_generation, email }: Verified) =>
  db
    .selectFrom('users')
    .select((e) =>
      e
        .and([
          e('password_hash', 'is not', null),
          e('password_updated_at', '=', password_updated_at),
          e('disabled_at', 'is', null),
          // Holds while no event has ended all access of the account since it was read.
          e('token_generation', '=', token_generation),
          // The generation of the new session.
          e('session_generation', 'is not distinct from', session_generation),
          // The address to which a mail about the sign-in goes.
          e('email', '=', email),
        ])
        .as('holds'),
    )
    .where('id', '=', id)
    .forNoKeyUpdate(),
)

/** Holds while the account has not changed since its password was verified, and is not disabled. Locks it like `findUserForUpdate`. */
export function verifiedUserGuard(verified: Verified): Guard {
  return { statement: unchanged.with(verified), missing: false }
}

/** Locks users like `findUserForUpdate`, in the order of their ids. Returns those that exist. */
export async function selectUsersForUpdate(db: Db, ids: readonly string[]): Promise<string[]> {
  const query = db.selectFrom('users').select('id').orderBy('id').forNoKeyUpdate()
  const rows = await inBatches(ids.toSorted(), (some) => query.where('id', 'in', some).execute())
  return rows.map(({ id }) => id)
}

/** Writes the keys of the groups of users, which become a claim. */
export async function updateUserGroups(
  db: Db,
  ids: readonly string[],
  groups: Expression<JsonText<string[]>>,
): Promise<void> {
  if (ids.length > 0) await db.updateTable('users').set({ groups }).where('id', 'in', ids).execute()
}

const byEmail = prepare((db, { email }: { email: string }) =>
  db.selectFrom('users').selectAll().where('email', '=', email),
)

export async function findUserByEmail(db: ReadDb, email: string): Promise<UsersTable | undefined> {
  return await byEmail.first(db, { email })
}

export async function findUserByUsername(db: ReadDb, username_key: string): Promise<UsersTable | undefined> {
  return await db.selectFrom('users').selectAll().where('username_key', '=', username_key).executeTakeFirst()
}

const LOGIN_COLUMNS = { address: 'users.email', name: 'users.username_key' } as const
type LoginColumn = (typeof LOGIN_COLUMNS)[keyof typeof LOGIN_COLUMNS]

/**
 * Prepares a query with the user of a login (`loginKey`) for email addresses and for user names, which have no `@`: with a condition on both columns,
 * a database looks into both indexes and joins what it finds.
 */
export function prepareForLogin<P extends { [K in keyof P]: string } & { login: string }, R>(
  build: (db: Db, params: P, column: LoginColumn) => Compilable<R>,
): (params: P) => Prepared<P, R> {
  const of = (column: LoginColumn) => prepare<P, R>((db, params) => build(db, params, column))
  const [address, name] = [of(LOGIN_COLUMNS.address), of(LOGIN_COLUMNS.name)]
  return ({ login }) => (login.includes('@') ? address : name)
}

/** Selects the user of a login in its column (`prepareForLogin`). */
export function selectByLogin(db: ReadDb, column: LoginColumn, login: string) {
  return db.selectFrom('users').where(column, '=', login)
}

const byLogin = prepareForLogin((db, { login }: { login: string }, column) =>
  selectByLogin(db, column, login).selectAll(),
)

export async function findUserByLogin(db: ReadDb, login: string): Promise<UsersTable | undefined> {
  return await byLogin({ login }).first(db, { login })
}

/** Users whose address is unconfirmed and who registered before then, ordered by id, after the id `after`. */
export async function listUnconfirmed(
  db: ReadDb,
  before: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('email_verified_at', 'is', null)
    .where('created_at', '<', before)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Locks a user whose address is still unconfirmed. */
export async function findUnconfirmedForUpdate(db: Db, id: string): Promise<UsersTable | undefined> {
  return await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('email_verified_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export async function incrementTokenGeneration(db: Db, id: string): Promise<void> {
  await db
    .updateTable('users')
    .set((e) => ({ token_generation: e('token_generation', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Returns false when the address or user name is taken; on PostgreSQL the transaction is aborted then. */
export async function updateUser(db: Db, id: string, changes: Partial<UsersTable>): Promise<boolean> {
  const update = db.updateTable('users').set(changes).where('id', '=', id).execute()
  const updated = await update.then(
    () => true,
    (error: unknown) => {
      if (isUniqueViolation(error)) return false
      throw error
    },
  )
  if (updated && SEARCHED_COLUMNS.some((column) => column in changes)) await replaceTerms(db, id)
  return updated
}

/** Lists users after an id, with what their terms are made of. */
export async function listUsersAfter(db: ReadDb, after: string, limit: number) {
  const query = db
    .selectFrom('users')
    .select(['id', ...SEARCHED_COLUMNS])
    .where('id', '>', after)
  return await query.orderBy('id').limit(limit).execute()
}

/** The terms of users, by user. */
export async function listTerms(db: ReadDb, ids: readonly string[]): Promise<Map<string, Set<string>>> {
  const query = db.selectFrom('account_terms').select(['user_id', 'term'])
  const rows = await inBatches(ids, (some) => query.where('user_id', 'in', some).execute())
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id)
  return new Map([...byUser].map(([id, own]) => [id, new Set(own.map(({ term }) => term))]))
}

/** Replaces the search terms of a user. */
export async function replaceTerms(db: Db, user_id: string): Promise<void> {
  const user = await findUser(db, user_id)
  await db.deleteFrom('account_terms').where('user_id', '=', user_id).execute()
  if (user) await insertTerms(db, user)
}
