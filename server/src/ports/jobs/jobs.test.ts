import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../test/open-store.ts'
import { testClock } from '../clock.ts'
import { claim, enqueue, markDone, prune, tryAgain } from './jobs.ts'
import { GiveUp, type JobHandler, pauseAfter, startJobs } from './runner.ts'

async function openDesk() {
  const { store, ...rest } = await openStore()
  const clock = testClock()
  const desk = { db: store.db, clock, signals: store.signals }
  const warnings: object[] = []
  const errors: object[] = []
  const log = { warn: (about: object) => warnings.push(about), error: (about: object) => errors.push(about) }
  const run = (handler: JobHandler, poll = false) => {
    const runner = startJobs({ store, clock, handlers: { greet: handler }, log, poll })
    onTestFinished(() => runner.stop())
    return runner
  }
  const rows = () => store.read.selectFrom('jobs').selectAll().orderBy('id').execute()
  return { ...rest, store, clock, desk, warnings, errors, run, rows }
}

test('a job is done once and what it carried is forgotten', async () => {
  const { desk, run, rows } = await openDesk()
  const seen: unknown[] = []
  const runner = run(async (payload) => void seen.push(payload))
  await enqueue(desk, 'greet', { name: 'Ana' })
  await runner.runDue()
  await runner.runDue()
  expect(seen).toEqual([{ name: 'Ana' }])
  expect(await rows()).toEqual([expect.objectContaining({ payload: '{}', attempts: 1, failed_at: null })])
})

test('a job exists only if its transaction commits, and runs at once when it does', async () => {
  const { store, desk, run } = await openDesk()
  const seen: unknown[] = []
  run(async (payload) => void seen.push(payload), true)
  const undone = store.transaction(async ({ db }) => {
    await enqueue({ ...desk, db }, 'greet', 'never')
    throw new Error('no')
  })
  await expect(undone).rejects.toThrow('no')
  await store.transaction(({ db }) => enqueue({ ...desk, db }, 'greet', 'now'))
  await expect.poll(() => seen, { timeout: 2000 }).toEqual(['now'])
})

test('a handler that never comes back is cut off: whatever waits behind it goes on', async () => {
  const { store, clock, desk, warnings } = await openDesk()
  const log = { warn: (about: object) => warnings.push(about), error: () => {} }
  const done: string[] = []
  const handlers = { lost: () => new Promise<void>(() => {}), greet: async () => void done.push('greet') }
  const runner = startJobs({ store, clock, log, poll: false, handlers, patience: 0.1 })
  await enqueue(desk, 'lost', {})
  await runner.runDue()
  expect(warnings).toEqual([expect.objectContaining({ kind: 'lost', attempts: 1 })])
  await enqueue(desk, 'greet', {})
  await runner.runDue()
  expect(done).toEqual(['greet'])
  await runner.stop()
})

test('work that waits for other people’s servers holds up no other', async () => {
  const { store, clock, desk } = await openDesk()
  const done: string[] = []
  const held = Promise.withResolvers<void>()
  const handlers = { call: () => held.promise, greet: async () => void done.push('greet') }
  const runner = startJobs({ store, clock, handlers, log: { warn() {}, error() {} }, poll: false, apart: ['call'] })
  for (let i = 0; i < 20; i += 1) await enqueue(desk, 'call', {})
  await enqueue(desk, 'greet', {})
  const all = runner.runDue()
  await expect.poll(() => done).toEqual(['greet'])
  held.resolve()
  await all
  await runner.stop()
})

test('it is tried again after 5, 10, 20 seconds and so on up to 15 minutes', async () => {
  const { desk, run, clock, warnings, rows } = await openDesk()
  let tries = 0
  const runner = run(async () => {
    tries += 1
    if (tries < 4) throw new Error('the server is away')
  })
  await enqueue(desk, 'greet', {})
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
  expect([1, 2, 8, 9, 100].map(pauseAfter)).toEqual([5, 10, 640, 900, 900])
})

test('after 24 hours, or when trying again is useless, it fails and is seen', async () => {
  const { desk, run, clock, errors, rows } = await openDesk()
  const runner = run(async (payload) => {
    throw payload === 'useless' ? new GiveUp('no such address') : new Error('away')
  })
  await enqueue(desk, 'greet', 'useless')
  await enqueue(desk, 'greet', 'patient')
  await runner.runDue()
  expect((await rows()).map((row) => row.failed_at !== null)).toEqual([true, false])
  for (let hour = 0; hour < 25; hour += 1) {
    await runner.runDue()
    clock.advance(3600)
  }
  expect((await rows()).map((row) => row.failed_at !== null)).toEqual([true, true])
  expect(errors).toEqual([
    expect.objectContaining({ error: 'no such address' }),
    expect.objectContaining({ error: 'away', kind: 'greet' }),
  ])
})

test('two runners never get the same job, and the job of a dead one is free when its lease ends', async () => {
  const { store, desk, clock } = await openDesk()
  for (let i = 0; i < 30; i += 1) await enqueue(desk, 'greet', i)
  const taken = await Promise.all([1, 2, 3, 4].map(() => claim(store.db, ['greet'], clock.now(), 10, 90)))
  expect(new Set(taken.flat().map((job) => job.id)).size).toBe(taken.flat().length)
  await claim(store.db, ['greet'], clock.now(), 100, 90)
  expect(await claim(store.db, ['greet'], clock.now(), 100, 90)).toEqual([])
  clock.advance(91)
  expect(await claim(store.db, ['greet'], clock.now(), 100, 90)).toHaveLength(30)
})

test('a runner that comes too late changes nothing any more', async () => {
  const { store, desk, clock, rows } = await openDesk()
  await enqueue(desk, 'greet', {})
  const [late] = await claim(store.db, ['greet'], clock.now(), 1, 90)
  clock.advance(91)
  const [current] = await claim(store.db, ['greet'], clock.now(), 1, 90)
  if (!late || !current) throw new Error('nothing claimed')
  await tryAgain(store.db, late, clock.now(), 'late')
  expect(await rows()).toEqual([expect.objectContaining({ last_error: null, locked_until: expect.any(String) })])
  await markDone(store.db, current, clock.now())
  expect(await prune(store.db, new Date(clock.now().getTime() + 1000), 10)).toBe(1)
})

test('jobs of a kind that this version does not know are left for one that does', async () => {
  const { desk, run, rows } = await openDesk()
  const runner = run(async () => {})
  await enqueue(desk, 'from the future', {})
  await runner.runDue()
  expect(await rows()).toEqual([expect.objectContaining({ attempts: 0, done_at: null })])
})
