import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { BoundedQueue } from '../../lib/waiting/bounded-queue.ts'
import { passwords } from './passwords.ts'

const { hash: make, verify, verifyNothing, needsRehash } = passwords()

test('a hash verifies its own password only (security §6.2)', async () => {
  const stored = await make('correct horse battery')
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(stored).not.toBe(await make('correct horse battery'))
  expect(await verify(stored, 'correct horse battery')).toBe(true)
  expect(await verify(stored, 'Correct horse battery')).toBe(false)
})

test('a higher cost applies to new hashes; hashes of a lower one still verify, and are made again', async () => {
  const dear = passwords({ memoryCost: 20_480, timeCost: 3, parallelism: 1 })
  const stored = await make('correct horse battery')
  expect(await dear.hash('correct horse battery')).toMatch(/^\$argon2id\$v=19\$m=20480,t=3,p=1\$/)
  expect([dear.needsRehash(stored), needsRehash(stored)]).toEqual([true, false])
  expect(await dear.verify(stored, 'correct horse battery')).toBe(true)
  expect(await dear.verify(stored, 'a wrong guess')).toBe(false)
})

test('does not truncate passwords: the 73rd and the 256th character count (security §6.2.8)', async () => {
  const long = 'x'.repeat(255)
  const stored = await make(`${long}a`)
  expect(await verify(stored, `${long}b`)).toBe(false)
  expect(await verify(stored, long.slice(0, 72))).toBe(false)
  expect(await verify(stored, `${long}a`)).toBe(true)
})

test('accepts a password in another Unicode normalization form', async () => {
  expect(await verify(await make('češnja-žaba-12'), 'češnja-žaba-12'.normalize('NFD'))).toBe(true)
})

test('verifyNothing takes as long as verify (security §6.3.8)', async () => {
  const stored = await make('correct horse battery')
  await takeAsLong(
    () => verify(stored, 'a wrong guess'),
    () => verifyNothing('a wrong guess'),
  )
  expect(await verifyNothing('a wrong guess')).toBe(false)
})

test('after the cost was lowered, an unknown name takes as long as an account with a former hash (security §6.3.8)', async () => {
  const stored = await passwords({ memoryCost: 19_456, timeCost: 10, parallelism: 1 }).hash('correct horse battery')
  const lowered = passwords()
  const ofToday = await lowered.hash('correct horse battery')
  const former = () => lowered.verify(stored, 'a wrong guess')
  await takeAsLong(former, () => lowered.verifyNothing('a wrong guess'))
  await takeAsLong(former, () => lowered.verify(ofToday, 'a wrong guess'))
  expect(await lowered.verify(stored, 'correct horse battery')).toBe(true)
  expect(await lowered.verify(ofToday, 'correct horse battery')).toBe(true)
})

async function takeAsLong(known: () => Promise<unknown>, unknown: () => Promise<unknown>): Promise<void> {
  const took = async (work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    return performance.now() - start
  }
  // Other work of the machine makes single measurements longer, so the shortest of each are compared.
  let [first, second] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const alike = async () => {
    for (let i = 0; i < 9; i += 1) {
      first = Math.min(first, await took(known))
      second = Math.min(second, await took(unknown))
    }
    return Math.abs(Math.log(second / first)) < Math.log(1.5)
  }
  await expect.poll(alike).toBe(true)
}

test('a hash with weaker settings needs a rehash', async () => {
  expect(needsRehash(await make('correct horse battery'))).toBe(false)
  expect(needsRehash(await hash('correct horse battery', { memoryCost: 8192, timeCost: 2, parallelism: 1 }))).toBe(true)
})

test('queues hashes up to a limit and rejects more as unavailable', async () => {
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

test('a task that waits too long is rejected as unavailable and never runs, and the next ones do', async () => {
  const queue = new BoundedQueue({ atOnce: 1, waiting: 3, patience: 50 })
  const gate = Promise.withResolvers<string>()
  const first = queue.run(() => gate.promise)
  const ran: number[] = []
  const impatient = await Promise.allSettled([1, 2].map((n) => queue.run(async () => void ran.push(n))))
  const rejected = { status: 'rejected', reason: { code: 'unavailable', retry_after: 2 } }
  expect(impatient).toMatchObject([rejected, rejected])
  const last = queue.run(async () => void ran.push(3))
  gate.resolve('done')
  await last
  expect(await first).toBe('done')
  expect(ran).toEqual([3])
})
