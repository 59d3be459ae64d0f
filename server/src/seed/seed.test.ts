import { activity, connections, sessions, signIn, users } from '@vrata/contract'
import { expect, onTestFinished, test } from 'vitest'
import { emptyDatabase } from '../../test/databases/template-db.ts'
import { settingsOf, vrata } from '../../test/processes/vrata-command.ts'
import { good } from '../../test/second-factor.ts'
import { startTestServer } from '../../test/test-server.ts'
import { refresh, userinfo } from '../../test/third-party.ts'
import { checkSecret } from '../main.ts'

test('the people of a filled database sign in, their apps and tokens work, and the owner finds them', async () => {
  const place = await emptyDatabase()
  onTestFinished(() => place.remove())
  const made = await vrata(settingsOf(place), 'seed', '--users', '200', '--apps', '5', '--json')
  expect(made.stderr).toBe('')
  const { password, client_secret, first_refresh_token, owner, rows } = JSON.parse(made.stdout)
  expect(rows).toMatchObject({
    users: 200,
    clients: 5,
    sessions: 600,
    session_clients: 1200,
    connections: 400,
    tokens: 1000,
    activities: 2000,
  })

  const first = await startTestServer()
  onTestFinished(() => first.close())
  const server = await first.secondNode(settingsOf(place))
  onTestFinished(() => server.close())
  await checkSecret(server.deps, server.store)
  server.clock.advance((Date.now() - server.clock.now().getTime()) / 1000)
  const ana = server.browser()
  good(await ana.call(signIn.login, { username: owner, password }))
  const open = good(await ana.call(sessions.listSessions))
  expect(open.map(({ apps }) => apps.length)).toEqual([0, 2, 2, 2])
  expect(good(await ana.call(activity.listActivity, { type: 'LOGGED_IN_TO_APP' }))).toHaveLength(9)
  expect(good(await ana.call(connections.listConnections, {}))).toHaveLength(2)

  const app = { client_id: 'vrt_seed0', client_secret }
  const fresh = await refresh(server, app, first_refresh_token)
  expect(fresh.statusCode).toBe(200)
  expect((await userinfo(server, fresh.json().access_token)).json()).toMatchObject({ email: owner })

  const { id } = await server.store.db
    .selectFrom('developers')
    .select('id')
    .where('name', '=', 'Seed')
    .executeTakeFirstOrThrow()
  good(await ana.call(sessions.refresh, { developer_id: id }))
  expect(good(await ana.call(users.listUsers, { query: 'person77@' }))).toHaveLength(1)
})

test('only an empty database is filled, with numbers that make sense', async () => {
  const place = await emptyDatabase()
  onTestFinished(() => place.remove())
  const seed = (...words: string[]) => vrata(settingsOf(place), 'seed', ...words)
  expect(await seed()).toMatchObject({ code: 2, stderr: '--users must be a whole number from 1 to 16000000.\n' })
  expect(await seed('--users', '1', '--activities-per-user', '0')).toMatchObject({ code: 0 })
  expect(await seed('--users', '1')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('in an empty database only'),
  })
})
