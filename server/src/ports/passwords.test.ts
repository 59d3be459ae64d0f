import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { BoundedQueue } from './bounded-queue.ts'
import { passwords } from './passwords.ts'

const { hash: make, verify, verifyNothing, needsRehash } = passwords()

test('6.2 a password opens its own hash and nothing else does', async () => {
  const stored = await make('correct horse battery')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(stored).not.toBe(await make('correct horse battery'))
  expect(await verify(stored, 'correct horse battery')).toBe(true)
  expect(await verify(stored, 'Correct horse battery')).toBe(false)
})

test('6.2.8 nothing is cut off: the 73rd and the 256th character count', async () => {
  const long = 'x'.repeat(255)
  const stored = await make(`${long}a`)
  expect(await verify(stored, `${long}b`)).toBe(false)
  expect(await verify(stored, long.slice(0, 72))).toBe(false)
  expect(await verify(stored, `${long}a`)).toBe(true)
})

test('the same letters typed in another way open the same door', async () => {
  expect(await verify(await make('češnja-žaba-12'), 'češnja-žaba-12'.normalize('NFD'))).toBe(true)
})

test('6.3.8 an unknown account takes the work of a known one', async () => {
  const stored = await make('correct horse battery')
  const took = async (work: () => Promise<unknown>) => {
    const times: number[] = []
    for (let i = 0; i < 9; i += 1) {
      const start = performance.now()
      await work()
      times.push(performance.now() - start)
    }
    return times.sort((a, b) => a - b)[4] ?? 0
  }
  const known = await took(() => verify(stored, 'a wrong guess'))
  const unknown = await took(() => verifyNothing('a wrong guess'))
  expect(unknown / known).toBeGreaterThan(0.3)
  expect(unknown / known).toBeLessThan(3)
  expect(await verifyNothing('a wrong guess')).toBe(false)
})

test('a hash made with less work is made again', async () => {
  expect(needsRehash(await make('correct horse battery'))).toBe(false)
  expect(needsRehash(await hash('correct horse battery', { memoryCost: 8192, timeCost: 2, parallelism: 1 }))).toBe(true)
})

test('F17 a storm of sign-ins is queued, and beyond that sent away to come back', async () => {
  const queue = new BoundedQueue({ atOnce: 2, waiting: 3 })
  let running = 0
  let most = 0
  const outcomes = await Promise.allSettled(
    [1, 2, 3, 4, 5, 6, 7].map((n) =>
      queue.run(async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise(setImmediate)
        running -= 1
        if (n === 1) throw new Error('a failure frees its place')
        return n
      }),
    ),
  )
  expect(most).toBe(2)
  expect(outcomes.map((o) => (o.status === 'fulfilled' ? o.value : (o.reason.code ?? 'failed')))).toEqual([
    'failed',
    2,
    3,
    4,
    5,
    'unavailable',
    'unavailable',
  ])
  expect(await queue.run(async () => 'free again')).toBe('free again')
})
