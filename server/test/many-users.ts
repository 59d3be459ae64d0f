import { randomBytes } from 'node:crypto'
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

/** Copies a refresh token of a user of an app, that of a session if it is named; nobody has the copies. */
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
  const { token_hash, ...others } = token
  const columns = Object.keys(others) as (keyof typeof others)[]
  const prefix = randomBytes(16).toString('base64url')
  await withNumbers(server, count)
    .insertInto('tokens')
    .columns([...columns, 'token_hash'])
    .expression((copy) =>
      copy
        .selectFrom('tokens')
        .innerJoin('numbers', (join) => join.onTrue())
        .where('token_hash', '=', token_hash)
        .select(columns)
        .select(sql<string>`cast(${prefix} as text) || numbers.n`.as('token_hash')),
    )
    .execute()
}

/** Copies the session of a user; nobody has the cookies of the copies. */
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
  const { id, token_hash, access_hash, previous_hash, previous_until, ...others } = row
  const columns = Object.keys(others) as (keyof typeof others)[]
  const unique = ['id', 'token_hash', 'access_hash'] as const
  const prefix = `${newId(server.clock)}-`
  await withNumbers(server, count)
    .insertInto('sessions')
    .columns([...columns, ...unique])
    .expression((copy) =>
      copy
        .selectFrom('sessions')
        .innerJoin('numbers', (join) => join.onTrue())
        .where('id', '=', id)
        .select(columns)
        .select(unique.map((column) => sql<string>`cast(${prefix} as text) || numbers.n`.as(column))),
    )
    .execute()
}

/** Begins a statement with the numbers from 1, from which the database makes copies: hundreds of rows as parameters take long. */
function withNumbers(server: TestServer, count: number) {
  return server.store.db.withRecursive('numbers(n)', (cte) =>
    cte
      .selectNoFrom(sql<number>`1`.as('n'))
      .unionAll(cte.selectFrom('numbers').select(sql<number>`n + 1`.as('n')).where('n', '<', count)),
  )
}

async function findConnection(server: TestServer, app: ThirdParty, person: SignedIn) {
  return await server.store.db
    .selectFrom('connections')
    .selectAll()
    .where('user_id', '=', person.user.id)
    .where('client_id', '=', app.client_id)
    .executeTakeFirstOrThrow()
}
