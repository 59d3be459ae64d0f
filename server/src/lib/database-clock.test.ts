import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { openStore } from '../../test/databases/open-store.ts'
import { testEngine } from '../../test/databases/template-db.ts'
import { registerUser } from '../../test/registered-user.ts'
import { startTestServer } from '../../test/test-server.ts'
import { enqueue } from '../adapters/jobs/jobs.ts'
import { startJobs } from '../adapters/jobs/runner.ts'
import { buildApp } from '../app.ts'
import { timeAfter } from '../db/values.ts'
import { startPruning, tend } from '../prune.ts'
import { DatabaseClock } from './database-clock.ts'

const DAY = 24 * 60 * 60

/** The time by a clock that nothing here sets. */
const rightTime = () => performance.timeOrigin + performance.now()
/** Seconds by which a clock is fast. */
const fast = (clock: DatabaseClock) => (clock.now().getTime() - rightTime()) / 1000

/** The clock of this machine jumps; its monotonic clock and the database's clock do not. */
const jump = (seconds: number) => vi.setSystemTime(rightTime() + seconds * 1000)

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: rightTime() }))
afterEach(() => void vi.useRealTimers())

test.runIf(testEngine === 'postgres').each([DAY, -300])(
  'the time is that of PostgreSQL, although the clock of the machine jumps by %i seconds (security §20.7)',
  async (seconds) => {
    const { store } = await openStore()
    const clock = await DatabaseClock.open(store)
    expect(fast(clock)).toBeCloseTo(0, -1)
    jump(seconds)
    expect(fast(clock)).toBeCloseTo(0, -1)
    await clock.measure()
    expect(fast(clock)).toBeCloseTo(0, -1)
    expect(fast(await DatabaseClock.open(store))).toBeCloseTo(0, -1)
  },
)

test.runIf(testEngine === 'sqlite')('with SQLite the time is that of the machine, whatever it is', async () => {
  const { store } = await openStore()
  const clock = await DatabaseClock.open(store)
  jump(DAY)
  expect(fast(clock)).toBeCloseTo(DAY, -1)
  jump(-300)
  await clock.measure()
  expect(fast(clock)).toBeCloseTo(-300, -1)
})

test.runIf(testEngine === 'postgres')(
  'a server whose clock jumps by a day runs jobs when they are due, and takes none over from others',
  async () => {
    const { store } = await openStore()
    const clock = await DatabaseClock.open(store)
    const log = { warn: () => {}, error: () => {} }
    const seen: unknown[] = []
    const { promise: end, resolve: complete } = Promise.withResolvers<void>()
    const other = startJobs({
      store,
      clock,
      handlers: {
        greet: async (payload) => {
          seen.push(payload)
          await end
        },
      },
      log,
      poll: false,
    })
    const handlers = { greet: async (payload: unknown) => void seen.push(payload) }
    const runner = startJobs({ store, clock, handlers, log, poll: false })
    onTestFinished(async () => {
      complete()
      await Promise.all([runner.stop(), other.stop()])
    })
    const deps = { db: store.db, clock, signals: store.signals }
    await enqueue(deps, 'greet', 'other')
    const running = other.runDue()
    await expect.poll(() => seen).toEqual(['other'])
    jump(DAY)
    await enqueue(deps, 'greet', 'now')
    await enqueue(deps, 'greet', 'in an hour', { run_at: timeAfter(clock.now(), 3600) })
    await runner.runDue()
    expect(seen).toEqual(['other', 'now'])
    complete()
    await running
  },
)

test.runIf(testEngine === 'postgres')('a server whose clock jumps deletes nothing that is alive', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const { store } = server
  server.clock.advance((rightTime() - server.clock.now().getTime()) / 1000)
  await registerUser(server)
  const tokens = () => store.read.selectFrom('one_time_tokens').select('user_id').execute()
  expect(await tokens()).toHaveLength(1)
  const failed = (err: unknown) => {
    throw err
  }
  const clock = await DatabaseClock.open(store)
  const { app, deps } = await buildApp({ adapters: { ...server.deps, clock }, store, pages: false })
  onTestFinished(() => app.close())
  jump(40 * DAY)
  await tend(deps, failed)
  expect(await tokens()).toHaveLength(1)
  // By the clock of the machine, every mailed link has expired.
  server.clock.advance(40 * DAY)
  await tend(server.deps, failed)
  expect(await tokens()).toEqual([])
})

test.runIf(testEngine === 'postgres')(
  'while the clocks of the machine and of the database differ, nothing is deleted: nobody knows which one is wrong',
  async () => {
    const server = await startTestServer()
    onTestFinished(() => server.close())
    server.clock.advance((rightTime() - server.clock.now().getTime()) / 1000)
    await registerUser(server)
    const links = () => server.store.read.selectFrom('one_time_tokens').select('user_id').execute()
    // By the time of the rules, the mailed link has expired.
    server.clock.advance(40 * DAY)
    jump(-40 * DAY)
    const pruning = startPruning(server.deps, server.store, 0.01)
    onTestFinished(() => pruning.stop())
    await pause(500)
    expect(await links()).toHaveLength(1)
    jump(0)
    await expect.poll(links).toEqual([])
  },
)

/** A database whose clock is fast by so many seconds, and which answers after so many milliseconds. */
function database() {
  const settings = { fast: 0, slow: 0, fails: false, asked: 0 }
  const ping = async () => {
    settings.asked += 1
    const time = new Date(rightTime() + settings.fast * 1000)
    await new Promise((resolve) => setTimeout(resolve, settings.slow))
    if (settings.fails) throw new Error('The database does not answer')
    return time
  }
  return { ping, settings }
}

test.each([600, -600])(
  'when the clock of the database differs by %i seconds, as after a failover, the time is the new one at once',
  async (seconds) => {
    const { ping, settings } = database()
    const clock = await DatabaseClock.open({ ping })
    settings.fast = seconds
    await clock.measure()
    expect(fast(clock)).toBeCloseTo(seconds, -1)
  },
)

test('a slow answer changes the time only to the nearer end of its interval', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout'] })
  const { ping, settings } = database()
  const answered = async <T>(asked: Promise<T>) => {
    await vi.advanceTimersByTimeAsync(settings.slow)
    return await asked
  }
  const clock = await answered(DatabaseClock.open({ ping }))
  settings.slow = 500
  await answered(clock.measure())
  expect(fast(clock)).toBeCloseTo(0, 1)
  // The database may have read its clock at any time of the half second.
  settings.fast = 2
  await answered(clock.measure())
  expect(fast(clock)).toBeCloseTo(1.5, 1)
  settings.fast = -2
  await answered(clock.measure())
  expect(fast(clock)).toBeCloseTo(-2, 1)
})

test('while the database does not answer, the time continues; without a first answer there is none', async () => {
  const { ping, settings } = database()
  const clock = await DatabaseClock.open({ ping })
  settings.fails = true
  await expect(clock.measure()).rejects.toThrow('does not answer')
  const before = clock.now().getTime()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(clock.now().getTime() - before).toBeGreaterThan(40)
  expect(fast(clock)).toBeCloseTo(0, -1)
  await expect(DatabaseClock.open({ ping })).rejects.toThrow('does not answer')
})

test('a server follows the clock of the database, and says once that its own is wrong', async () => {
  const { ping, settings } = database()
  const clock = await DatabaseClock.open({ ping })
  const errors: object[] = []
  const stop = clock.follow({ error: (about) => void errors.push(about) }, 20)
  onTestFinished(stop)
  settings.fast = 30
  await expect.poll(() => fast(clock)).toBeCloseTo(30, -1)
  expect(errors).toEqual([])
  settings.fast = 0
  // An answer that is on its way still says 30 seconds.
  await expect.poll(() => fast(clock)).toBeCloseTo(0, -1)
  jump(DAY)
  await expect.poll(() => errors).toEqual([{ seconds: expect.closeTo(DAY, -1) }])
  /** Resolves after two more looks at the clock, the second of which has begun later than now. */
  const looks = async () => {
    const before = settings.asked
    await expect.poll(() => settings.asked).toBeGreaterThan(before + 2)
  }
  await looks()
  expect(errors).toHaveLength(1)
  jump(0)
  await looks()
  jump(-300)
  await expect.poll(() => errors).toHaveLength(2)
})
