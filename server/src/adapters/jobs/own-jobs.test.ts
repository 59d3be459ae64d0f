import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../../test/databases/open-store.ts'
import { testClock } from '../../lib/clock.ts'
import { newId } from '../../lib/ids.ts'
import { enqueue } from './jobs.ts'
import { jobStatement, OwnJobs } from './own-jobs.ts'
import { type JobHandler, startJobs } from './runner.ts'

async function openQueue() {
  const { store } = await openStore()
  const clock = testClock()
  const ownJobs = new OwnJobs()
  const deps = { clock, ownJobs, signals: store.signals }
  const log = { warn() {}, error() {} }
  const start = (handler: JobHandler, own?: OwnJobs) => {
    const runner = startJobs({
      store,
      clock,
      handlers: { greet: handler },
      log,
      poll: own !== undefined,
      ...(own && { own }),
    })
    onTestFinished(() => runner.stop())
    return runner
  }
  const rows = () => store.read.selectFrom('jobs').selectAll().orderBy('id').execute()
  /** Inserts a job; its runner gets it by `committed`. */
  const insert = async (name: string) => {
    const job = jobStatement(deps, 'greet', { name }, { id: newId(clock), decrypted: { opened: name } })
    await store.together({ guards: [], writes: [job.write] })
    return job
  }
  /** Waits until the runner has looked for what was there before. */
  const looked = async () => {
    await enqueue({ ...deps, db: store.db }, 'greet', 'first')
    await expect.poll(async () => (await rows())[0]?.done_at).toEqual(expect.any(String))
  }
  return { store, clock, deps, ownJobs, start, rows, insert, looked }
}

test('a job that this process inserts is claimed with it, and its handler gets it opened', async () => {
  const { ownJobs, start, rows, insert, looked } = await openQueue()
  const seen: unknown[] = []
  start(async (payload) => void seen.push(payload), ownJobs)
  await looked()
  const job = await insert('Ana')
  expect((await rows())[1]).toMatchObject({ attempts: 1, locked_until: '2026-11-21T10:00:10.000Z', done_at: null })
  const others: unknown[] = []
  const other = start(async (payload) => void others.push(payload))
  await other.runDue()
  expect([others, seen]).toEqual([[], ['first']])
  job.committed()
  await expect.poll(async () => (await rows())[1]?.done_at).toEqual(expect.any(String))
  expect(seen).toEqual(['first', { opened: 'Ana' }])
  expect((await rows())[1]).toMatchObject({ attempts: 1, payload: '{}', locked_until: null })
})

test('without a runner in this process, a job is inserted unclaimed, and any runner claims it', async () => {
  const { start, rows, insert } = await openQueue()
  const job = await insert('Ana')
  job.committed()
  expect(await rows()).toEqual([expect.objectContaining({ attempts: 0, locked_until: null })])
  const seen: unknown[] = []
  await start(async (payload) => void seen.push(payload)).runDue()
  expect(seen).toEqual([{ name: 'Ana' }])
})

test('a job whose process was killed after the commit runs at another one within 15 seconds', async () => {
  const { clock, ownJobs, start, rows, insert } = await openQueue()
  start(async () => {}, ownJobs)
  await insert('Ana')
  const seen: unknown[] = []
  const other = start(async (payload) => void seen.push(payload))
  await other.runDue()
  expect(seen).toEqual([])
  // A runner looks for jobs every 5 seconds.
  clock.advance(15 - 5 + 0.001)
  await other.runDue()
  expect(seen).toEqual([{ name: 'Ana' }])
  expect(await rows()).toEqual([expect.objectContaining({ attempts: 2, done_at: expect.any(String) })])
})

test('a job whose commit took more than a third of its lease does not run in the process that inserted it', async () => {
  const { clock, ownJobs, start, rows, insert, looked } = await openQueue()
  const seen: unknown[] = []
  start(async (payload) => void seen.push(payload), ownJobs)
  await looked()
  await insert('Ana')
  const [, row] = await rows()
  if (!row) throw new Error('nothing inserted')
  const late = { job: { ...row, id: newId(clock) }, payload: {}, claimed: performance.now() - 3400 }
  ownJobs.run(late)
  const job = await insert('Bor')
  job.committed()
  await expect.poll(() => seen).toEqual(['first', { opened: 'Bor' }])
})

test('when its process stops, another one claims a job that has not begun at once', async () => {
  const { ownJobs, start, rows, insert, looked } = await openQueue()
  const handled: unknown[] = []
  const runner = start(async (payload) => void handled.push(payload), ownJobs)
  await looked()
  const [first, second] = [await insert('Ana'), await insert('Bor')]
  first.committed()
  // It waits for jobs that come together.
  second.committed()
  await runner.stop()
  expect(handled).not.toContainEqual({ opened: 'Bor' })
  expect((await rows())[2]).toMatchObject({ locked_until: null, done_at: null })
  const seen: unknown[] = []
  await start(async (payload) => void seen.push(payload)).runDue()
  expect(seen).toContainEqual({ name: 'Bor' })
})

test('a runner whose jobs take long leaves further ones to others', async () => {
  const { ownJobs, start, insert, rows, looked } = await openQueue()
  const blocked = Promise.withResolvers<void>()
  start((payload) => (payload === 'first' ? Promise.resolve() : blocked.promise), ownJobs)
  await looked()
  for (let i = 0; i < 5; i += 1) (await insert(`Ana ${i}`)).committed()
  await expect.poll(() => ownJobs.leaseFor('greet')).toBeUndefined()
  const other = await insert('Bor')
  expect((await rows())[6]).toMatchObject({ attempts: 0, locked_until: null })
  other.committed()
  blocked.resolve()
  await expect.poll(async () => (await rows()).every(({ done_at }) => done_at !== null)).toBe(true)
})

test('of thirty jobs that are inserted at once, more than may wait, each is done once', async () => {
  const { ownJobs, start, insert, rows, looked } = await openQueue()
  const seen: unknown[] = []
  start(async (payload) => void seen.push(payload), ownJobs)
  await looked()
  const jobs = []
  for (let i = 0; i < 30; i += 1) {
    const job = await insert(`Ana ${i}`)
    job.committed()
    jobs.push(job)
  }
  await expect.poll(async () => (await rows()).every(({ done_at }) => done_at !== null)).toBe(true)
  expect(seen).toHaveLength(31)
})
