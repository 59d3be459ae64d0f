import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Id } from '../../lib/ids.ts'
import type { Job } from './jobs.ts'
import { AT_ONCE, type Lane, openLane } from './lane.ts'

const jobOf = (id: string): Job => ({
  id: id as Id,
  kind: 'mail',
  payload: '{}',
  attempts: 1,
  created_at: '2026-01-01T00:00:00.000Z',
  traceparent: null,
})

let lane: Lane
let due: Job[]
let handled: string[]
let running: number
let most: number
/** Resolves when jobs are marked as done. */
let marked: PromiseWithResolvers<void>
const stopping = new AbortController()
beforeEach(() => {
  due = []
  handled = []
  running = 0
  most = 0
  marked = Promise.withResolvers()
  lane = openLane({
    claim: async (count) => due.splice(0, count),
    async attempt({ job }) {
      handled.push(job.id)
      running += 1
      most = Math.max(most, running)
      // Longer than the time in which queued jobs are gathered.
      await pause(job.id === 'unrecorded' ? 0 : 150)
      running -= 1
      if (job.id === 'unrecorded') throw new Error('The database is away')
      return true
    },
    markDone: () => marked.promise,
    isMine: () => true,
    stopping: stopping.signal,
    report() {},
  })
})
afterEach(() => marked.resolve())

test.each<[string, () => void]>([
  [
    'queued',
    () => {
      due.push(jobOf('second'))
      lane.queued()
    },
  ],
  ['inserted by this process', () => lane.take({ job: jobOf('second'), payload: {}, claimed: performance.now() })],
])('a job that is %s while others are marked as done runs afterwards', async (_, arrive) => {
  due.push(jobOf('first'))
  const round = lane.run()
  await expect.poll(() => [handled.length, running]).toEqual([1, 0])
  await pause(0)
  arrive()
  marked.resolve()
  await round
  expect(handled).toEqual(['first', 'second'])
})

test('an attempt that cannot be recorded does not let more jobs run at once', async () => {
  due.push(...Array.from({ length: 4 * AT_ONCE }, (_, i) => jobOf(i % AT_ONCE === 0 ? 'unrecorded' : 'slow')))
  marked.resolve()
  await expect(lane.run()).rejects.toThrow('The database is away')
  expect({ handled: handled.length, most, running }).toEqual({ handled: 4 * AT_ONCE, most: AT_ONCE, running: 0 })
})
