import { sql } from 'kysely'
import { newId } from '../src/lib/ids.ts'
import { createOrganization, type Organization } from './organization.ts'
import type { SignedIn, TestServer } from './test-server.ts'
import { allow, signInTo, type ThirdParty, type Tokens } from './third-party.ts'

type Many = { developer_id: string; app: ThirdParty; like: SignedIn; count: number }

/** An organization with two apps, of which one has a user and many others like them. */
export interface LargeOrganization {
  organization: Organization
  app: ThirdParty
  other: ThirdParty
  tokens: Tokens
}

export async function createLargeOrganization(
  server: TestServer,
  { owner, user, count }: { owner: SignedIn; user: SignedIn; count: number },
): Promise<LargeOrganization> {
  const organization = await createOrganization(server, owner)
  const app = await organization.app()
  const other = await organization.app({ name: 'Burja' })
  await allow(user, app, 'openid profile email')
  const tokens = await signInTo(server, user, app)
  await addUsers(server, { developer_id: organization.developer_id, app, like: user, count })
  return { organization, app, other, tokens }
}

/** Copies a user of an app under other addresses, each connected to the app. */
export async function addUsers(server: TestServer, { developer_id, app, like, count }: Many): Promise<void> {
  const { db } = server.store
  const user = await db.selectFrom('users').selectAll().where('id', '=', like.user.id).executeTakeFirstOrThrow()
  const connection = await findConnection(server, app, like)
  const ids = Array.from({ length: count }, () => newId(server.clock))
  const unique = { username: null, username_key: null }
  const copies = ids.map((id) => ({ ...user, ...unique, id, email: `${id}@example.com` }))
  for (let from = 0; from < count; from += 100) {
    await db
      .insertInto('users')
      .values(copies.slice(from, from + 100))
      .execute()
    const some = ids.slice(from, from + 100)
    const row = { developer_id, blocked_at: null, sort_name: 'bor horvat' }
    await db
      .insertInto('developer_users')
      .values(some.map((user_id) => ({ ...row, user_id, id: newId(server.clock) })))
      .execute()
    await db
      .insertInto('connections')
      .values(some.map((user_id) => ({ ...connection, user_id, id: newId(server.clock) })))
      .execute()
  }
}

/** Copies a refresh token of a user of an app, that of a session if it is named; the copies are known to no client. */
export async function addTokens(
  server: TestServer,
  { app, like, count, session_id }: Pick<Many, 'app' | 'like' | 'count'> & { session_id?: string },
): Promise<void> {
  const { db } = server.store
  const { id } = await findConnection(server, app, like)
  const tokens = db.selectFrom('tokens').selectAll().where('connection_id', '=', id).where('kind', '=', 'RefreshToken')
  const token = await (session_id === undefined
    ? tokens
    : tokens.where('session_id', '=', session_id)
  ).executeTakeFirstOrThrow()
  await addCopies(server, 'tokens', { row: token, unique: ['token_hash'], count })
}

/** Copies the session of a user; the cookies of the copies are unknown. */
export async function addSessions(
  server: TestServer,
  { like, count }: { like: SignedIn; count: number },
): Promise<void> {
  const { db } = server.store
  const row = await db
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', like.user.session_id)
    .executeTakeFirstOrThrow()
  const { previous_hash, previous_until, ...copied } = row
  await addCopies(server, 'sessions', { row: copied, unique: ['id', 'token_hash', 'access_hash'], count })
}

/** The database copies the row with the first unique column, because hundreds of rows as parameters take long. */
async function addCopies<Row extends object>(
  server: TestServer,
  table: 'tokens' | 'sessions',
  { row, unique, count }: { row: Row; unique: [keyof Row & string, ...(keyof Row & string)[]]; count: number },
): Promise<void> {
  const [key] = unique
  const copied = Object.keys(row).filter((column) => !unique.some((one) => one === column))
  const prefix = `${newId(server.clock)}-`
  await sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
    insert into ${sql.table(table)} (${sql.join([...copied, ...unique].map((column) => sql.ref(column)))})
    select ${sql.join([...copied.map((column) => sql.ref(column)), ...unique.map(() => sql`cast(${prefix} as text) || numbers.n`)])}
    from ${sql.table(table)} cross join numbers where ${sql.ref(key)} = ${row[key]}`.execute(server.store.db)
}

async function findConnection(server: TestServer, app: ThirdParty, person: SignedIn) {
  return await server.store.db
    .selectFrom('connections')
    .selectAll()
    .where('user_id', '=', person.user.id)
    .where('client_id', '=', app.client_id)
    .executeTakeFirstOrThrow()
}
