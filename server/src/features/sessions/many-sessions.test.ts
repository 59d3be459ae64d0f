import { adminUsers, sessions } from '@vrata/contract'
import { expect, onTestFinished, test } from 'vitest'
import { createOperator } from '../../../test/operator.ts'
import { people } from '../../../test/people.ts'
import { good } from '../../../test/second-factor.ts'
import { startTestServer } from '../../../test/test-server.ts'

/** A statement may have 32,766 values on SQLite, and 65,535 on PostgreSQL; one has each id twice. */
const MANY = 33_000
/** Rows of one statement. */
const STEP = 1000

test('a person with very many sessions is signed out by an operator', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const bor = await server.as(people.bor)
  const operator = await createOperator(server, people.drago, 'support')
  const { db, read } = server.store
  const own = read.selectFrom('sessions').selectAll().where('user_id', '=', bor.user.id)
  const row = await own.executeTakeFirstOrThrow()
  for (let from = 0; from < MANY; from += STEP) {
    const copies = Array.from({ length: STEP }, (_, i) => {
      const id = `many-${from + i}`
      return { ...row, id, token_hash: id, access_hash: id, previous_hash: null, previous_until: null }
    })
    await db.insertInto('sessions').values(copies).execute()
  }
  good(await operator.call(adminUsers.endUserSessions, { id: bor.user.id }))
  expect(await bor.call(sessions.listSessions, {})).toMatchObject({ http: 401 })
  expect(await own.where('ended_at', 'is', null).execute()).toEqual([])
}, 60_000)
