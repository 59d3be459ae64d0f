import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../test/databases/open-store.ts'
import { testEngine } from '../test/databases/template-db.ts'
import { registerUser } from '../test/registered-user.ts'
import { startTestServer } from '../test/test-server.ts'
import { enqueue } from './adapters/jobs/jobs.ts'
import { startJobs } from './adapters/jobs/runner.ts'
import { testClock } from './lib/clock.ts'
import { clockCheck } from './lib/clock-check.ts'
import { tend } from './prune.ts'

const DAY = 24 * 60 * 60

test.runIf(testEngine === 'postgres')(
  'a server whose clock jumps by a day runs no jobs and says so, until the clock is right again (security §20.7)',
  async () => {
    const { store } = await openStore()
    const clock = testClock(new Date())
    const errors: object[] = []
    const log = { warn: () => {}, error: (about: object) => void errors.push(about) }
    const mayBegin = clockCheck(store, clock, log)
    const seen: unknown[] = []
    const handlers = { greet: async (payload: unknown) => void seen.push(payload) }
    const runner = startJobs({ store, clock, handlers, log, mayBegin, poll: false })
    onTestFinished(() => runner.stop())
    await enqueue({ db: store.db, clock, signals: store.signals }, 'greet', 'first')
    await runner.runDue()
    expect(seen).toEqual(['first'])

    await enqueue({ db: store.db, clock, signals: store.signals }, 'greet', 'second')
    clock.advance(DAY)
    await runner.runDue()
    await runner.runDue()
    expect(seen).toEqual(['first'])
    expect(errors).toEqual([{ seconds: expect.closeTo(DAY, -2) }])

    clock.advance(-DAY)
    await runner.runDue()
    expect(seen).toEqual(['first', 'second'])
  },
)

test.runIf(testEngine === 'postgres')('a server whose clock jumps by a day deletes nothing that is alive', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const { clock, deps, store } = server
  clock.advance((Date.now() - clock.now().getTime()) / 1000)
  await registerUser(server)
  const tokens = () => store.read.selectFrom('one_time_tokens').select('user_id').execute()
  expect(await tokens()).toHaveLength(1)
  const mayBegin = clockCheck(store, clock, deps.log)
  const failed = (err: unknown) => {
    throw err
  }
  // Every link that was mailed has expired by the wrong clock.
  clock.advance(40 * DAY)
  await tend(deps, mayBegin, failed)
  expect(await tokens()).toHaveLength(1)
  await tend(deps, async () => true, failed)
  expect(await tokens()).toEqual([])
})

test.runIf(testEngine === 'sqlite')('with SQLite there is one clock, and work begins whatever it says', async () => {
  const { store } = await openStore()
  const clock = testClock()
  const mayBegin = clockCheck(store, clock, { error: () => {} })
  expect(await mayBegin()).toBe(true)
  clock.advance(DAY)
  expect(await mayBegin()).toBe(true)
})
