import { setTimeout as pause } from 'node:timers/promises'
import { problem } from '@vrata/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openStore } from '../../../test/databases/open-store.ts'
import { makeHandle, partsOfHandle, type RunQuery } from '../../db/compiled-queries/handle.ts'
import type { Store } from '../../db/open.ts'
import { testClock } from '../../lib/clock.ts'
import { retryJob } from './job-list.ts'
import { claimJobs, enqueue, jobsDone, rescheduleJob } from './jobs.ts'
import { pruneJobs } from './prune-jobs.ts'
import { GiveUp, type JobHandler, type JobRunner, retryDelay, startJobs, TryAgain } from './runner.ts'

async function openQueue() {
  const { store, ...rest } = await openStore()
  const clock = testClock()
  const deps = { db: store.db, clock, signals: store.signals }
  const warnings: object[] = []
  const errors: object[] = []
  const log = { warn: (about: object) => warnings.push(about), error: (about: object) => errors.push(about) }
  const run = (handler: JobHandler, poll = false, grace = 3) => {
    const runner = startJobs({ store, clock, handlers: { greet: handler }, log, poll, grace })
    onTestFinished(() => runner.stop())
    return runner
  }
  const rows = () => store.read.selectFrom('jobs').selectAll().orderBy('id').execute()
  return { ...rest, store, clock, deps, warnings, errors, run, rows }
}

/** Nine attempts in 27 hours after the first one. */
async function runUntilLate(runner: Pick<JobRunner, 'runDue'>, clock: ReturnType<typeof testClock>): Promise<void> {
  for (let attempt = 2; attempt <= 10; attempt += 1) {
    clock.advance(3 * 3600)
    await runner.runDue()
  }
}

/** A handler whose work takes until it is aborted. */
const untilAborted: JobHandler = (_, __, signal) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

test('runs a job once and deletes its payload', async () => {
  const { deps, run, rows } = await openQueue()
  const seen: unknown[] = []
  const runner = run(async (payload) => void seen.push(payload))
  await enqueue(deps, 'greet', { name: 'Ana' })
  await runner.runDue()
  await runner.runDue()
  expect(seen).toEqual([{ name: 'Ana' }])
  expect(await rows()).toEqual([expect.objectContaining({ payload: '{}', attempts: 1, failed_at: null })])
})

test('runs a job right after the commit of its transaction, and never after a rollback', async () => {
  // The periodic look for jobs never comes.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { store, deps, run } = await openQueue()
  const seen: unknown[] = []
  run(async (payload) => void seen.push(payload), true)
  const undone = store.transaction(async ({ db }) => {
    await enqueue({ ...deps, db }, 'greet', 'never')
    throw new Error('no')
  })
  await expect(undone).rejects.toThrow('no')
  await store.transaction(({ db }) => enqueue({ ...deps, db }, 'greet', 'now'))
  await expect.poll(() => seen).toEqual(['now'])
})

test('aborts a handler that never resolves, and runs the jobs after it', async () => {
  const { store, clock, deps, warnings } = await openQueue()
  const log = { warn: (about: object) => warnings.push(about), error: () => {} }
  const done: string[] = []
  const handlers = { lost: () => new Promise<void>(() => {}), greet: async () => void done.push('greet') }
  const runner = startJobs({ store, clock, log, poll: false, handlers, patience: 0.1 })
  await enqueue(deps, 'lost', {})
  await runner.runDue()
  expect(warnings).toEqual([expect.objectContaining({ kind: 'lost', attempts: 1 })])
  await enqueue(deps, 'greet', {})
  await runner.runDue()
  expect(done).toEqual(['greet'])
  await runner.stop()
})

test('a job that is cut off by the end of the server is tried again at once, also when its time is nearly over', async () => {
  const { clock, deps, run, rows, errors } = await openQueue()
  let begun = false
  const untilCutOff: JobHandler = (...given) => {
    begun = true
    return untilAborted(...given)
  }
  const ending = run(untilCutOff, false, 0)
  await enqueue(deps, 'greet', 'Ana')
  clock.advance(24 * 60 * 60 - 1)
  const running = ending.runDue()
  await expect.poll(() => begun).toBe(true)
  await ending.stop()
  await running
  expect(await rows()).toEqual([expect.objectContaining({ locked_until: null, failed_at: null })])
  expect(errors).toEqual([])
  const seen: unknown[] = []
  await run(async (payload) => void seen.push(payload)).runDue()
  expect(seen).toEqual(['Ana'])
})

test('a job that is nearly done when the server ends is not done again', async () => {
  const { deps, run } = await openQueue()
  const begun = Promise.withResolvers<void>()
  const sent: unknown[] = []
  // A mail is still delivered after its runner has stopped waiting for it.
  const ending = run(async (...given) => {
    begun.resolve()
    await Promise.race([pause(300).then(() => void sent.push(given[0])), untilAborted(...given)])
  })
  await enqueue(deps, 'greet', 'Ana')
  const running = ending.runDue()
  await begun.promise
  await ending.stop()
  await running
  await run(async (payload) => void sent.push(payload)).runDue()
  await pause(400)
  expect(sent).toEqual(['Ana'])
})

test('slow jobs of a group in `apart` delay neither jobs of other groups nor those of none', async () => {
  const { store, clock, deps } = await openQueue()
  const done: string[] = []
  const blocked = Promise.withResolvers<void>()
  const handlers = {
    call: () => blocked.promise,
    pack: async () => void done.push('pack'),
    greet: async () => void done.push('greet'),
  }
  const apart = [['call'], ['pack', 'of another program']]
  const runner = startJobs({ store, clock, handlers, log: { warn() {}, error() {} }, poll: false, apart })
  for (let i = 0; i < 20; i += 1) await enqueue(deps, 'call', {})
  await enqueue(deps, 'pack', {})
  await enqueue(deps, 'greet', {})
  await enqueue(deps, 'of another program', {})
  const all = runner.runDue()
  await expect.poll(() => done.toSorted()).toEqual(['greet', 'pack'])
  blocked.resolve()
  await all
  await runner.stop()
})

test('retries a job after 5, 10, 20 seconds and so on up to 15 minutes', async () => {
  const { deps, run, clock, warnings, rows } = await openQueue()
  let tries = 0
  const runner = run(async () => {
    tries += 1
    if (tries < 4) throw new Error('the server is unavailable')
  })
  await enqueue(deps, 'greet', {})
  for (const pause of [5, 10, 20]) {
    await runner.runDue()
    const before = tries
    clock.advance(pause - 1)
    await runner.runDue()
    expect(tries).toBe(before)
    clock.advance(1)
  }
  await runner.runDue()
  expect(tries).toBe(4)
  expect(warnings).toHaveLength(3)
  expect(await rows()).toEqual([expect.objectContaining({ done_at: expect.any(String), last_error: null })])
  expect([1, 2, 8, 9, 100].map(retryDelay)).toEqual([5, 10, 640, 900, 900])
})

test('a job fails, and the failure is logged, after 24 hours or by GiveUp', async () => {
  const { deps, run, clock, errors, rows } = await openQueue()
  const runner = run(async (payload) => {
    throw payload === 'useless' ? new GiveUp('its link has expired') : new TryAgain('the client answered 503')
  })
  await enqueue(deps, 'greet', 'useless')
  await enqueue(deps, 'greet', 'patient')
  await runner.runDue()
  expect((await rows()).map((row) => row.failed_at !== null)).toEqual([true, false])
  for (let hour = 0; hour < 25; hour += 1) {
    await runner.runDue()
    clock.advance(3600)
  }
  expect((await rows()).map((row) => row.failed_at !== null)).toEqual([true, true])
  expect((await rows()).map(({ payload }) => payload)).toEqual(['{}', '{}'])
  expect(errors).toEqual([
    expect.objectContaining({ error: 'its link has expired' }),
    expect.objectContaining({ error: 'the client answered 503', kind: 'greet' }),
  ])
})

test('a job that runs a day later is tried for 24 hours from then on', async () => {
  const { deps, run, clock, errors } = await openQueue()
  const seen: unknown[] = []
  let fails = true
  const runner = run(async (payload) => {
    if (fails) throw new Error('the database is unavailable')
    seen.push(payload)
  })
  await enqueue(deps, 'greet', 'Ana', { run_at: new Date(clock.now().getTime() + 24 * 3_600_000).toISOString() })
  clock.advance(24 * 3600)
  await runner.runDue()
  clock.advance(23 * 3600)
  await runner.runDue()
  expect(errors).toEqual([])
  fails = false
  clock.advance(900)
  await runner.runDue()
  expect(seen).toEqual(['Ana'])
})

test('a job that waited while no server ran is tried for 24 hours from its first attempt', async () => {
  const { deps, run, clock, errors, rows } = await openQueue()
  const runner = run(async () => {
    throw new TryAgain('the network is not there yet')
  })
  await enqueue(deps, 'greet', 'Ana')
  clock.advance(3 * 24 * 3600)
  for (let hour = 0; hour < 24; hour += 1) {
    await runner.runDue()
    clock.advance(3600)
  }
  expect(await rows()).toEqual([expect.objectContaining({ failed_at: null, payload: '"Ana"' })])
  await runner.runDue()
  expect(errors).toEqual([expect.objectContaining({ error: 'the network is not there yet' })])
})

test('a job that was tried once before no server ran for days is tried ten times, for half an hour', async () => {
  const { deps, run, clock, errors, rows } = await openQueue()
  // The server is killed during the first attempt, so its end is not recorded.
  await enqueue(deps, 'greet', 'Ana')
  expect(await claimJobs(deps.db, ['greet'], clock.now(), 1, 10)).toHaveLength(1)
  clock.advance(3 * 24 * 3600)
  const runner = run(async () => {
    throw new TryAgain('the network is not there yet')
  })
  const start = clock.now().getTime()
  while (errors.length === 0) {
    await runner.runDue()
    clock.advance(60)
  }
  expect(await rows()).toEqual([expect.objectContaining({ attempts: 10, failed_at: expect.any(String) })])
  expect(clock.now().getTime() - start).toBeGreaterThan(30 * 60_000)
})

test('a job that has failed, and that an operator has tried again, is tried for another 24 hours', async () => {
  const { store, deps, clock, rows } = await openQueue()
  let fails = true
  const seen: unknown[] = []
  const greet: JobHandler = async (payload) => {
    if (fails) throw new Error('the mail server is away')
    seen.push(payload)
  }
  const log = { warn() {}, error() {} }
  const runner = startJobs({ store, clock, handlers: { greet }, log, keep: ['greet'], poll: false })
  const id = await enqueue(deps, 'greet', 'Ana')
  await runner.runDue()
  await runUntilLate(runner, clock)
  const failed_at = clock.now().toISOString()
  expect(await rows()).toEqual([expect.objectContaining({ failed_at })])

  clock.advance(3600)
  expect(await retryJob(deps, 'greet', id)).toBe(true)
  // A server that was away may put senders off for some minutes.
  await runner.runDue()
  expect(await rows()).toEqual([expect.objectContaining({ failed_at: null })])
  fails = false
  clock.advance(900)
  await runner.runDue()
  expect(seen).toEqual(['Ana'])
  await runner.stop()
})

test('records and logs the codes of an error, not its text, which can contain addresses', async () => {
  const { deps, run, clock, warnings, errors, rows } = await openQueue()
  const text = "Can't send mail - all recipients were rejected: 451 4.7.1 <ana@example.com>: greylisted"
  const runner = run(async (payload) => {
    if (payload === 'smtp') throw Object.assign(new Error(text), { code: 'EENVELOPE', responseCode: 451 })
    throw payload === 'type' ? new TypeError(text) : text
  })
  for (const payload of ['smtp', 'type', 'text']) await enqueue(deps, 'greet', payload)
  await runner.runDue()
  expect((await rows()).map(({ last_error }) => last_error)).toEqual(['EENVELOPE 451', 'TypeError', 'unknown error'])
  await runUntilLate(runner, clock)
  expect((await rows()).map(({ failed_at }) => failed_at)).toEqual(Array(3).fill(expect.any(String)))
  expect(JSON.stringify([warnings, errors, await rows()])).not.toContain('@')
})

test('deletes done jobs after 7 days and failed ones after 30', async () => {
  const { store, deps, run, clock, rows } = await openQueue()
  const runner = run(async (payload) => {
    if (payload === 'fails') throw new GiveUp('its link has expired')
  })
  await enqueue(deps, 'greet', 'works')
  await enqueue(deps, 'greet', 'fails')
  await runner.runDue()
  const left = async () => {
    await pruneJobs(store.db, clock.now(), 10)
    return (await rows()).map(({ failed_at }) => (failed_at ? 'failed' : 'done'))
  }
  clock.advance(7 * 24 * 60 * 60)
  expect(await left()).toEqual(['done', 'failed'])
  clock.advance(1)
  expect(await left()).toEqual(['failed'])
  clock.advance(23 * 24 * 60 * 60)
  expect(await left()).toEqual([])
})

test('all old jobs are deleted in a minute, however many there are', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { store, deps, run, clock, rows } = await openQueue()
  await enqueue(deps, 'greet', 'Ana')
  await run(async () => {}).runDue()
  const [done] = await rows()
  if (!done) throw new Error('nothing inserted')
  const more = Array.from({ length: 1500 }, (_, i) => ({ ...done, id: `${done.id}-${i}` }))
  await store.db.insertInto('jobs').values(more).execute()
  clock.advance(8 * 24 * 60 * 60)
  run(async () => {}, true)
  vi.advanceTimersByTime(60_000)
  await expect.poll(async () => (await rows()).length).toBe(0)
})

test('a job is claimed by one runner, and can be claimed again when its lease has expired', async () => {
  const { store, deps, clock } = await openQueue()
  for (let i = 0; i < 30; i += 1) await enqueue(deps, 'greet', i)
  const taken = await Promise.all([1, 2, 3, 4].map(() => claimJobs(store.db, ['greet'], clock.now(), 10, 90)))
  expect(new Set(taken.flat().map((job) => job.id)).size).toBe(taken.flat().length)
  await claimJobs(store.db, ['greet'], clock.now(), 100, 90)
  expect(await claimJobs(store.db, ['greet'], clock.now(), 100, 90)).toEqual([])
  clock.advance(91)
  expect(await claimJobs(store.db, ['greet'], clock.now(), 100, 90)).toHaveLength(30)
})

test('a runner whose lease has expired cannot change the job', async () => {
  const { store, deps, clock, rows } = await openQueue()
  await enqueue(deps, 'greet', {})
  const [late] = await claimJobs(store.db, ['greet'], clock.now(), 1, 90)
  clock.advance(91)
  const [current] = await claimJobs(store.db, ['greet'], clock.now(), 1, 90)
  if (!late || !current) throw new Error('nothing claimed')
  await rescheduleJob(store.db, late, clock.now(), clock.now(), 'late')
  expect(await rows()).toEqual([expect.objectContaining({ last_error: null, locked_until: expect.any(String) })])
  await enqueue(deps, 'greet', 'other')
  const [other] = await claimJobs(store.db, ['greet'], clock.now(), 1, 90)
  if (!other) throw new Error('nothing claimed')
  await store.withNextCommit(jobsDone([late, other], clock.now()))
  expect((await rows()).map(({ done_at }) => done_at !== null)).toEqual([false, true])
  await store.withNextCommit(jobsDone([current], clock.now()))
  clock.advance(8 * 24 * 60 * 60)
  expect(await pruneJobs(store.db, clock.now(), 10)).toBe(2)
})

test('another runner takes over the job of a process that was killed within 15 seconds', async () => {
  const { store, deps, run, clock, rows } = await openQueue()
  const log = { warn() {}, error() {} }
  const killed = startJobs({ store, clock, log, poll: false, handlers: { greet: untilAborted }, grace: 0 })
  onTestFinished(() => killed.stop())
  await enqueue(deps, 'greet', 'Ana')
  void killed.runDue()
  await expect.poll(async () => (await rows())[0]?.attempts).toBe(1)
  const seen: unknown[] = []
  const other = run(async (payload) => void seen.push(payload))
  await other.runDue()
  expect(seen).toEqual([])
  // A runner looks for jobs every 5 seconds.
  clock.advance(15 - 5 + 0.001)
  await other.runDue()
  expect(seen).toEqual(['Ana'])
})

const AWAY = Object.assign(new Error('the connection was closed'), { code: 'CONNECTION_CLOSED' })
/** Too many statements wait for the database already. */
const BUSY = problem('unavailable', { retry_after: 1 })

/** A store whose database is away while it refuses statements, as during a failover of PostgreSQL. */
function withoutDatabase(store: Store, refusal: Error = AWAY) {
  const { engine, run } = partsOfHandle(store.db)
  const away = { refuses: 0, refused: 0 }
  const runOrRefuse: RunQuery = async (query) => {
    if (away.refused >= away.refuses) return await run(query)
    away.refused += 1
    throw refusal
  }
  return { away, store: { ...store, db: makeHandle(engine, runOrRefuse) } }
}

test.each([
  ['away', AWAY],
  ['too busy', BUSY],
])('a job that is done while the database is %s for a moment is not done again', async (_, refusal) => {
  const { store: open, clock, deps, run, rows } = await openQueue()
  const { away, store } = withoutDatabase(open, refusal)
  const seen: unknown[] = []
  const handlers = {
    greet: async (payload: unknown) => {
      seen.push(payload)
      away.refuses = 2
    },
  }
  const runner = startJobs({ store, clock, handlers, log: { warn() {}, error() {} }, poll: false })
  onTestFinished(() => runner.stop())
  await enqueue(deps, 'greet', 'Ana')
  await runner.runDue()
  // The lease has ended.
  clock.advance(11)
  await run(async (payload) => void seen.push(payload)).runDue()
  expect(seen).toEqual(['Ana'])
  expect(await rows()).toEqual([expect.objectContaining({ attempts: 1, done_at: expect.any(String) })])
})

test('a job that is done while the server ends and the database is away for a moment is not done again', async () => {
  const { store: open, clock, deps, run, rows } = await openQueue()
  const { away, store } = withoutDatabase(open)
  const begun = Promise.withResolvers<void>()
  const done = Promise.withResolvers<void>()
  const seen: unknown[] = []
  const handlers = {
    greet: async (payload: unknown) => {
      begun.resolve()
      await done.promise
      seen.push(payload)
      away.refuses = 2
    },
  }
  const runner = startJobs({ store, clock, handlers, log: { warn() {}, error() {} }, poll: false })
  await enqueue(deps, 'greet', 'Ana')
  const running = runner.runDue().catch(() => {})
  await begun.promise
  const ended = runner.stop()
  done.resolve()
  await Promise.all([ended, running])
  clock.advance(11)
  await run(async (payload) => void seen.push(payload)).runDue()
  expect(seen).toEqual(['Ana'])
  expect(await rows()).toEqual([expect.objectContaining({ attempts: 1, done_at: expect.any(String) })])
})

test('the end of the server does not wait long for a database that is away', async () => {
  const { store: open, clock, deps } = await openQueue()
  const { away, store } = withoutDatabase(open)
  const handlers = {
    greet: async () => {
      away.refuses = Number.POSITIVE_INFINITY
    },
  }
  const runner = startJobs({ store, clock, handlers, log: { warn() {}, error() {} }, poll: false })
  await enqueue(deps, 'greet', 'Ana')
  const failed = expect(runner.runDue()).rejects.toThrow('the connection was closed')
  await expect.poll(() => away.refused).toBeGreaterThan(0)
  const began = performance.now()
  await runner.stop()
  await failed
  // It would try for a minute.
  expect(performance.now() - began).toBeLessThan(30_000)
})

test('a running job stays claimed, and an attempt that has lost its job is aborted', async () => {
  const { store, deps, run, clock, rows } = await openQueue()
  const log = { warn() {}, error() {} }
  const slow = startJobs({ store, clock, log, poll: false, handlers: { greet: untilAborted }, lease: 0.3 })
  await enqueue(deps, 'greet', 'Ana')
  const running = slow.runDue()
  await expect.poll(async () => (await rows())[0]?.attempts).toBe(1)
  const seen: unknown[] = []
  const other = run(async (payload) => void seen.push(payload))
  for (let renewed = 0; renewed < 3; renewed += 1) {
    const before = (await rows())[0]?.locked_until
    clock.advance(0.2)
    await expect.poll(async () => (await rows())[0]?.locked_until).not.toBe(before)
    await other.runDue()
  }
  expect(seen).toEqual([])
  const takenOver = async () => {
    clock.advance(0.4)
    await other.runDue()
    return seen
  }
  await expect.poll(takenOver).toEqual(['Ana'])
  await running
  expect(await rows()).toEqual([
    expect.objectContaining({ attempts: 2, done_at: expect.any(String), last_error: null }),
  ])
})

test('jobs of an unknown kind are not claimed', async () => {
  const { deps, run, rows } = await openQueue()
  const runner = run(async () => {})
  await enqueue(deps, 'from the future', {})
  await runner.runDue()
  expect(await rows()).toEqual([expect.objectContaining({ attempts: 0, done_at: null })])
})
