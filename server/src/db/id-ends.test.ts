import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testEngine } from '../../test/databases/template-db.ts'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { isId, isOneOfIds } from './id-ends.ts'
import type { Store } from './open.ts'

let server: TestServer
let store: Store
beforeAll(async () => {
  server = await startTestServer()
  store = server.store
  const ids = ['01980000-0000-7000-8000-000000000001', '01980000-0000-7000-8000-000000000002', 'short']
  // The end of the first, and another beginning.
  const alike = '01990000-0000-7000-8000-000000000001'
  const at = '2026-01-01T00:00:00.000Z'
  const rows = [...ids, alike].map((connection_id) => ({
    token_hash: `hash of ${connection_id}`,
    kind: 'AccessToken',
    connection_id,
    session_id: ids[1],
    client_id: 'app',
    payload: '{}' as never,
    created_at: at,
    expires_at: at,
  }))
  await store.db.insertInto('tokens').values(rows).execute()
})
afterAll(() => server.close())

const FIRST = '01980000-0000-7000-8000-000000000001'
const SECOND = '01980000-0000-7000-8000-000000000002'
const CONDITIONS: [string, RawBuilder<SqlBool>, string[]][] = [
  ['one id', isId('tokens.connection_id', FIRST), [FIRST]],
  ['one of some ids', isOneOfIds('tokens.connection_id', [FIRST, 'short', SECOND]), [FIRST, SECOND, 'short']],
  ['one of one id', isOneOfIds('tokens.connection_id', [SECOND]), [SECOND]],
  ['two ids', sql`${isId('tokens.connection_id', 'short')} and ${isId('tokens.session_id', SECOND)}`, ['short']],
  ['another column', isId('tokens.connection_id', { ref: 'tokens.session_id' }), [SECOND]],
]

test.each(CONDITIONS)('%s: the rows with these ids, and none with the same end', async (_, condition, expected) => {
  const rows = await store.db.selectFrom('tokens').select('connection_id').where(condition).execute()
  expect(rows.map(({ connection_id }) => connection_id).toSorted()).toEqual(expected)
})

test.skipIf(testEngine === 'postgres').each(CONDITIONS.slice(0, 4))(
  '%s: SQLite uses the index of ends',
  async (what, condition) => {
    const query = store.db.selectFrom('tokens').select('kind').where(condition).compile()
    const { rows } = await store.db.executeQuery<{ detail: string }>({
      ...query,
      sql: `explain query plan ${query.sql}`,
    })
    const keys = what === 'two ids' ? '<expr>=? AND <expr>=?' : '<expr>=?'
    expect(rows.map(({ detail }) => detail)).toEqual([`SEARCH tokens USING INDEX tokens_of_grant (${keys})`])
  },
)
