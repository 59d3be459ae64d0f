import { clientAccess } from '@vrata/contract'
import { expect, onTestFinished, test } from 'vitest'
import { addTokens, addUsers } from '../../../test/many-users.ts'
import { createOrganization } from '../../../test/organization.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { startTestServer } from '../../../test/test-server.ts'
import { allow, refresh, signInTo } from '../../../test/third-party.ts'

/** More connections than one statement compares with the rule. */
const MANY = 1100

test('a rule of an app with many users leaves out everybody whom it does not name, and lets them in again', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const [ana, bor, cvetka] = [
    await server.as(people.ana),
    await server.as(people.bor),
    await server.as(people.cvetka),
  ] as const
  const organization = await createOrganization(server, ana)
  const app = await organization.app()
  for (const person of [bor, cvetka]) await allow(person, app)
  const tokens = await signInTo(server, bor, app)
  const others = await signInTo(server, cvetka, app)
  await addUsers(server, { developer_id: organization.developer_id, app, like: bor, count: MANY })
  await addTokens(server, { app, like: bor, count: MANY })
  const { read } = server.store
  const leftOut = async () =>
    (
      await read
        .selectFrom('connections')
        .select('id')
        .where('client_id', '=', app.client_id)
        .where('access_lost_at', 'is not', null)
        .execute()
    ).length

  const named: string[] = [people.cvetka.email]
  good(await ana.call(clientAccess.setAccess, { id: app.client_id, mode: 'people', people: named }))
  expect(await leftOut()).toBe(MANY + 1)
  const stored = await read.selectFrom('tokens').select('user_id').where('client_id', '=', app.client_id).execute()
  expect(new Set(stored.map(({ user_id }) => user_id))).toEqual(new Set([cvetka.user.id]))
  expect((await refresh(server, app, tokens.refresh_token)).json()).toMatchObject({ error: 'invalid_grant' })
  expect((await refresh(server, app, others.refresh_token)).statusCode).toBe(200)

  good(await ana.call(clientAccess.setAccess, { id: app.client_id, mode: 'everyone' }))
  expect(await leftOut()).toBe(0)
})
