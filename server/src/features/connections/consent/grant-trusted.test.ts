import { clientAccess, users } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganization } from '../../../../test/organization.ts'
import { registerConfirmedUser } from '../../../../test/registered-user.ts'
import { good } from '../../../../test/second-factor.ts'
import { startTestServer, type TestServer } from '../../../../test/test-server.ts'
import { findConnectionRow } from '../store.ts'
import { grantTrusted } from './grant-trusted.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

test('a trusted app gets nothing for a person whom its rule has left out since the request was read (operators §10)', async () => {
  const owner = await registerConfirmedUser(server)
  const person = await registerConfirmedUser(server)
  const { client_id } = await (await createOrganization(server, owner)).app()
  await server.store.db.updateTable('clients').set({ trusted: 1 }).where('client_id', '=', client_id).execute()
  const actor = { user_id: person.user.id, session_id: person.user.session_id, request_id: 'request', ip: '10.0.0.1' }
  const grant = () =>
    server.deps.transaction((deps) =>
      grantTrusted(deps, { ...actor, os: null, browser: null }, { client_id, scopes: ['openid', 'email'] }),
    )
  const rule = (wanted: clientAccess.Access) => owner.call(clientAccess.setAccess, { id: client_id, ...wanted })
  good(await rule({ mode: 'people', groups: [], people: [owner.email] }))
  expect(await grant()).toBe(false)
  expect(await findConnectionRow(server.store.read, person.user.id, client_id)).toBeUndefined()
  expect(good(await owner.call(users.listUsers))).toEqual([])
  good(await rule({ mode: 'everyone', groups: [], people: [] }))
  expect(await grant()).toBe(true)
  expect(good(await owner.call(users.listUsers))).toMatchObject([{ id: person.user.id }])
})
