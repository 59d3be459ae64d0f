import { setImmediate as nextTurn } from 'node:timers/promises'
import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { LOW_COST } from '../../../../testing/low-cost.ts'
import type { Cost } from './cost.ts'
import { hashBatches } from './hash-batches.ts'
import { passwords } from './passwords.ts'

test('hashes of several threads are right, and so are the answers to guesses', async () => {
  const { hash, verify, verifyNothing } = passwords(LOW_COST, hashBatches({ threads: 2 }))
  const stored = await hash('correct horse battery')
  expect(await passwords().verify(stored, 'correct horse battery')).toBe(true)
  const guesses = ['correct horse battery', 'Correct horse battery', 'correct horse', '', 'correct horse battery']
  expect(await Promise.all(guesses.map((guess) => verify(stored, guess)))).toEqual([true, false, false, false, true])
  expect(await verifyNothing('correct horse battery')).toBe(false)
})

test('hashes that wait together are answered with their own results, and each is measured', async () => {
  const batches = hashBatches({ threads: 1 })
  const stored = await batches.hash('correct horse battery', LOW_COST)
  const guesses = ['wrong', 'correct horse battery', 'wrong', 'correct horse battery', 'wrong', 'correct horse battery']
  const refused = expect(batches.verify('no hash', 'wrong')).rejects.toThrow()
  const answers = await Promise.all(guesses.map((guess) => batches.verify(stored, guess)))
  await refused
  expect(answers.map(({ right }) => right)).toEqual([false, true, false, true, false, true])
  expect(answers.every(({ ms }) => ms > 0)).toBe(true)
})

test.each([
  [1, [1, 4, 3]],
  [2, [1, 1, 2, 3, 1]],
])(
  'with %i threads, hashes that wait are answered together, but no batch takes those of a free thread',
  async (threads, sizes) => {
    const { batches, open, endNext } = controlled(threads)
    const answered: number[] = []
    const all = Array.from({ length: 8 }, (_, index) =>
      batches.hash(String(index), LOW_COST).then(() => answered.push(index)),
    )
    const together: number[] = []
    while (answered.length < 8) {
      expect(open()).toBeLessThanOrEqual(threads)
      const before = answered.length
      endNext()
      await nextTurn()
      if (answered.length > before) together.push(answered.length - before)
    }
    await Promise.all(all)
    expect(together).toEqual(sizes)
  },
)

test('a thread has its next hash before the answers to those before it are handled', async () => {
  const { batches, open, endNext } = controlled(1)
  const openAtAnswer: number[] = []
  const all = ['one', 'two'].map((word) => batches.hash(word, LOW_COST).then(() => openAtAnswer.push(open())))
  endNext()
  await nextTurn()
  expect(openAtAnswer).toEqual([1])
  endNext()
  await Promise.all(all)
})

test('a hash that is done is answered without those that follow when they take long', async () => {
  const { batches, endNext } = controlled(1, { kept: 0 })
  const answered: string[] = []
  const all = ['one', 'two', 'three'].map((word) => batches.hash(word, LOW_COST).then(() => answered.push(word)))
  for (const expected of [['one'], ['one', 'two'], ['one', 'two', 'three']]) {
    endNext()
    await nextTurn()
    expect(answered).toEqual(expected)
  }
  await Promise.all(all)
})

test('a hash that fails is refused alone', async () => {
  // Throws at once, as a function with native code may.
  const hashOrThrow = (password: string, cost: Cost) => {
    if (password === 'bad') throw new Error('no hash')
    return hash(password, cost)
  }
  const batches = hashBatches({ threads: 1, argon2: { hash: hashOrThrow, verify: async () => true } })
  const all = await Promise.allSettled(['first', 'good', 'bad', 'fine'].map((word) => batches.hash(word, LOW_COST)))
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(await batches.hash('later', LOW_COST)).toContain('$argon2id$')
})

/** Hashes that end one after the other when the test says so, and are all kept for one answer unless it says otherwise. */
function controlled(threads: number, { kept = Number.POSITIVE_INFINITY } = {}) {
  const ends: (() => void)[] = []
  const wait = (password: string) => new Promise<string>((resolve) => ends.push(() => resolve(password)))
  const batches = hashBatches({ threads, kept, argon2: { hash: wait, verify: async () => true } })
  return { batches, open: () => ends.length, endNext: () => ends.shift()?.() }
}
