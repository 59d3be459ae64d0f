import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../test/test-server.ts'
import { findUsers, findUsersByEmail } from '../features/account/public.ts'
import { listUserSignIns } from '../features/activity/public.ts'
import { findClientsWithPeople } from '../features/client-access/public.ts'
import { listClientsById, selectClientsForUpdate } from '../features/clients/public.ts'
import { listScopeKeysOfClients } from '../features/scope-catalog/public.ts'
import { listSessionClients } from '../features/sessions/public.ts'
import { deleteTokensWithoutAccess } from '../issuer/tokens/deletion/access-store.ts'

/** More than PostgreSQL accepts in one statement (65,535), and SQLite (32,766). */
const ids = Array.from({ length: 70_000 }, (_, i) => `nobody-${i}`)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test.each([
  ['findUsers', () => findUsers(server.store.db, ids)],
  ['findUsersByEmail', () => findUsersByEmail(server.store.db, ids)],
  ['listUserSignIns', () => listUserSignIns(server.store.db, 'nobody', ids, 10)],
  ['findClientsWithPeople', () => findClientsWithPeople(server.store.db, ids)],
  ['listClientsById', () => listClientsById(server.store.db, ids)],
  ['selectClientsForUpdate', () => server.store.transaction(({ db }) => selectClientsForUpdate(db, ids))],
  ['listSessionClients', () => listSessionClients(server.store.db, ids)],
  ['listScopeKeysOfClients', () => listScopeKeysOfClients(server.store.db, ids)],
  ['deleteTokensWithoutAccess', () => deleteTokensWithoutAccess(server.store.db, 'nobody', ids).then(() => [])],
])('%s takes more ids than a statement may have', async (_, read) => {
  expect(await read()).toEqual([])
})
