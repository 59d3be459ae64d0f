/**
 * `npm run bench -- lists`: lists of an organization with few and with many users and apps. The time for a page must not depend
 * on the number of rows; the last column is the ratio.
 */
import { clients, statistics, users } from '@vrata/contract'
import { createOrganization } from '../server/test/organization.ts'
import { people } from '../server/test/people.ts'
import { type SignedIn, startTestServer, type TestServer } from '../server/test/test-server.ts'

const FEW = { users: 100, apps: 100 }
const MANY = { users: 100_000, apps: 1000 }
const RUNS = 60
const BATCH = 500
const NAMES = ['Ana', 'Bor', 'Cvetka', 'Drago', 'Eva', 'Filip', 'Gaja', 'Hana', 'Ivan', 'Jana']

type Seeded = { server: TestServer; ana: SignedIn; app: string; middle: string }

const id = (kind: number, i: number) => `0199${kind}000-0000-7000-8000-${i.toString(16).padStart(12, '0')}`
const clientId = (i: number) => `vrt_bench${i}`

async function seed(size: typeof FEW): Promise<Seeded> {
  const server = await startTestServer()
  const ana = await server.as(people.ana)
  const { developer_id, app } = await createOrganization(server, ana)
  const first = await app()
  const row = await server.store.db
    .selectFrom('clients')
    .selectAll()
    .where('client_id', '=', first.client_id)
    .executeTakeFirstOrThrow()
  const user = await server.store.db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
  const now = server.clock.now().toISOString()
  const fill = async (count: number, write: (from: number, to: number) => Promise<unknown>[]) => {
    for (let from = 0; from < count; from += BATCH) await Promise.all(write(from, Math.min(count, from + BATCH)))
  }
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
  const { db } = server.store
  await fill(size.apps, (from, to) => [
    db
      .insertInto('clients')
      .values(range(from, to).map((i) => ({ ...row, client_id: clientId(i), name: `App ${i}`, sort_name: `app ${i}` })))
      .execute(),
  ])
  for (let from = 0; from < size.users; from += BATCH) {
    const batch = range(from, Math.min(size.users, from + BATCH))
    await server.store.transaction(async ({ db }) => {
      const names = (i: number) => ({ first_name: NAMES[i % 10] as string, last_name: `Horvat${i}` })
      await db
        .insertInto('users')
        .values(
          batch.map((i) => ({
            ...user,
            ...names(i),
            id: id(1, i),
            email: `u${i}@bench.example`,
            username_key: null,
          })),
        )
        .execute()
      await db
        .insertInto('connections')
        .values(
          batch.map((i) => ({
            id: id(2, i),
            user_id: id(1, i),
            client_id: clientId(i % 10),
            scopes: '["openid","profile","email"]' as never,
            declined: '[]' as never,
            created_at: now,
            updated_at: now,
            last_used_at: now,
            blocked_at: null,
          })),
        )
        .execute()
      await db
        .insertInto('developer_users')
        .values(batch.map((i) => ({ developer_id, user_id: id(1, i), id: id(2, i), blocked_at: null, sort_name: '' })))
        .execute()
      const terms = (i: number) => [NAMES[i % 10] as string, `horvat${i}`, `u${i}@bench.example`]
      await db
        .insertInto('user_terms')
        .values(
          batch.flatMap((i) => terms(i).map((term) => ({ developer_id, user_id: id(1, i), term: term.toLowerCase() }))),
        )
        .execute()
    })
  }
  return { server, ana, app: clientId(3), middle: id(2, Math.floor(size.users / 2)) }
}

const lists: Record<string, (seeded: Seeded) => Promise<{ ok: boolean }>> = {
  'users, first page': ({ ana }) => ana.call(users.listUsers, {}),
  'users, a middle page': ({ ana, middle }) => ana.call(users.listUsers, { cursor: middle }),
  'users of one app': ({ ana, app }) => ana.call(users.listUsers, { client_id: app, limit: 10 }),
  'user search, many results (first name)': ({ ana }) => ana.call(users.listUsers, { query: 'ana', limit: 10 }),
  'user search, one result (email address)': ({ ana }) => ana.call(users.listUsers, { query: 'u77@bench', limit: 1 }),
  'user search, two words': ({ ana }) => ana.call(users.listUsers, { query: 'horvat77 hana', limit: 1 }),
  'apps, first page': ({ ana }) => ana.call(clients.listClients, {}),
  'sign-ins of 90 days': ({ ana }) => ana.call(statistics.getDeveloperStatistics, { days: 90 }),
}

async function medianOf(work: () => Promise<{ ok: boolean }>): Promise<number> {
  const times: number[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const began = performance.now()
    const { ok } = await work()
    times.push(performance.now() - began)
    if (!ok) throw new Error('a list call failed')
  }
  return times.toSorted((a, b) => a - b)[RUNS / 2] as number
}

export async function benchLists(): Promise<void> {
  const few = await seed(FEW)
  const many = await seed(MANY)
  console.log(`| list (median of ${RUNS}) | 100 users, 100 apps | 100 000 users, 1 000 apps | factor |`)
  console.log('| --- | ---: | ---: | ---: |')
  for (const [name, ask] of Object.entries(lists)) {
    await medianOf(() => ask(few))
    const [small, big] = [await medianOf(() => ask(few)), await medianOf(() => ask(many))]
    console.log(`| ${name} | ${small.toFixed(1)} ms | ${big.toFixed(1)} ms | ${(big / small).toFixed(1)} |`)
  }
  await few.server.close()
  await many.server.close()
}
