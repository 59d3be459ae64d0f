import { account, activity, adminUsers, clients, connections, security, sessions, signIn, users } from '@vrata/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SqliteConnection } from '../src/db/sqlite.ts'
import { testEngine } from './databases/template-db.ts'
import { createOperator } from './operator.ts'
import { createOrganization, type Organization } from './organization.ts'
import { people } from './people.ts'
import { registerConfirmedUser, registerUser } from './registered-user.ts'
import { good } from './second-factor.ts'
import { type SignedIn, startTestServer, type TestServer } from './test-server.ts'
import { allow, credentials, post, refresh, signInTo, type ThirdParty, userinfo } from './third-party.ts'

/** Tables that stay small however many people there are. */
const SMALL = ['settings', 'signing_keys', 'operators', 'branding']
/** Indexes with what is being deleted only (decision 0092). */
const SMALL_INDEXES = ['groups_deleted']

let server: TestServer
let ana: SignedIn
let organization: Organization
let app: ThirdParty
beforeAll(async () => {
  // Its timers never come: each statement belongs to a story.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  server = await startTestServer().finally(() => vi.useRealTimers())
  ana = await server.as(people.ana)
  organization = await createOrganization(server, ana)
  app = await organization.app()
  await allow(ana, app)
})
afterAll(() => server.close())

const STORIES: Record<string, () => Promise<unknown>> = {
  async 'client credentials'() {
    const service = await organization.app({ name: 'Robot', type: 'service' })
    expect((await post(server, service, '/token', { grant_type: 'client_credentials' })).statusCode).toBe(200)
  },
  async 'a code, a refresh, a refresh token that is used again'() {
    const { refresh_token } = await signInTo(server, ana, app)
    expect((await refresh(server, app, refresh_token)).statusCode).toBe(200)
    expect((await refresh(server, app, refresh_token)).statusCode).toBe(400)
  },
  async 'user info and introspection'() {
    const { access_token: token } = await signInTo(server, ana, app)
    expect((await userinfo(server, token)).statusCode).toBe(200)
    expect((await post(server, app, '/introspect', { token }, credentials(app))).json().active).toBe(true)
  },
  async 'a registration, a sign-in, a wrong password'() {
    const person = await registerUser(server)
    const login = (password: string) => server.browser().call(signIn.login, { username: person.email, password })
    expect((await login(person.password)).ok).toBe(true)
    expect((await login('a wrong password')).ok).toBe(false)
  },
  async 'the account, its sessions, activity and apps'() {
    good(await ana.call(account.getAccount))
    good(await ana.call(sessions.listSessions))
    good(await ana.call(sessions.refresh, {}))
    good(await ana.call(activity.listActivity, {}))
    good(await ana.call(connections.listConnections))
  },
  async 'the users of an organization'() {
    for (const sort of users.USER_SORTS) {
      good(await ana.call(users.listUsers, { sort }))
      good(await ana.call(users.listUsers, { sort, client_id: app.client_id }))
    }
    good(await ana.call(users.listUsers, { query: 'ana ko' }))
    good(await ana.call(clients.listClients, {}))
  },
  async 'the people of an installation'() {
    const operator = await createOperator(server, people.drago, 'admin')
    good(await operator.call(adminUsers.listAdminUsers, {}))
    good(await operator.call(adminUsers.listAdminUsers, { query: 'ana' }))
  },
  async 'a new password'() {
    const person = await registerUser(server)
    const passwords = { current_password: person.password, new_password: 'drugacna-gora-17' }
    good(await person.call(security.changePassword, passwords))
  },
  async 'a sign-out, an app that is removed'() {
    const again = await registerConfirmedUser(server)
    await allow(again, app)
    await signInTo(server, again, app)
    good(await again.call(connections.removeConnection, { client: app.client_id }))
    good(await again.call(sessions.logout))
  },
}

// PostgreSQL scans tables of a few rows whatever their indexes are; the same indexes exist on both.
test.skipIf(testEngine === 'postgres').each(Object.entries(STORIES))(
  '%s: no statement reads a whole table',
  async (_, story) => {
    const statements = await statementsOf(story)
    expect(statements.length).toBeGreaterThan(3)
    expect((await Promise.all(statements.map(scansOf))).flat()).toEqual([])
  },
)

test.skipIf(testEngine === 'postgres')('pages of sorted lists are read from an index in their order', async () => {
  const ofOneApp = { client_id: app.client_id }
  for (const input of [{}, ofOneApp, { sort: 'name' }, { sort: 'name', ...ofOneApp }] as const) {
    const statements = await statementsOf(async () => good(await ana.call(users.listUsers, { ...input, limit: 1 })))
    const sorted = statements.filter((text) => / order by .* limit /.test(text))
    expect(sorted).toHaveLength(1)
    expect(await planOf(sorted[0] ?? '')).toEqual([expect.stringMatching(/^SEARCH \w+ USING (COVERING )?INDEX/)])
  }
})

test.skipIf(testEngine === 'postgres')('a statement that does is found', async () => {
  expect(await scansOf('select * from "users" where "first_name" = ?')).toHaveLength(1)
  expect(await scansOf('select count(*) from "sessions"')).toHaveLength(1)
  expect(
    await scansOf('select count(*) from (select "id" from "users" where "first_name" = ?) as "found"'),
  ).toHaveLength(1)
  expect(await scansOf('select * from "users" order by "id" limit 20')).toEqual([])
})

/** The different statements that a story runs. */
async function statementsOf(story: () => Promise<unknown>): Promise<string[]> {
  const seen = new Set<string>()
  const execute = SqliteConnection.prototype.execute
  const spy = vi.spyOn(SqliteConnection.prototype, 'execute').mockImplementation(function (
    this: SqliteConnection,
    text,
    values,
  ) {
    seen.add(text)
    return execute.call(this, text, values) as never
  })
  await story()
  spy.mockRestore()
  return [...seen].filter((text) => /^(select|insert|update|delete|with)\b/i.test(text))
}

async function planOf(statement: string): Promise<string[]> {
  const { rows } = await sql.raw<{ detail: string }>(`explain query plan ${statement}`).execute(server.store.db)
  return rows.map(({ detail }) => detail)
}

/** Steps of the plan of a statement that read all rows of a table that grows. A page of an index is none. */
async function scansOf(statement: string): Promise<string[]> {
  return (await planOf(statement)).flatMap((detail) => {
    const [, table = '', how = ''] = /^SCAN (\w+)(.*)/.exec(detail) ?? []
    const isPage = how.includes('USING') && / limit /.test(statement)
    // The rows of a subquery in memory; the plan has steps of its own for how it reads them.
    const isSubquery = statement.includes(`) as "${table}"`)
    const isTable = statement.includes(`"${table}"`) && !isSubquery
    const isSmall = SMALL.includes(table) || SMALL_INDEXES.some((index) => how.endsWith(` INDEX ${index}`))
    return isTable && !isSmall && !isPage ? [`${detail}: ${statement}`] : []
  })
}
