import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { LOW_COST } from '../../../../testing/low-cost.ts'
import { hashThreads } from './hash-threads.ts'
import { passwords } from './passwords.ts'

const { hash, verify, verifyNothing } = passwords(LOW_COST, hashThreads({ threads: 2 }))

test('threads compute the hashes that the process itself computes, several at a time', async () => {
  const stored = await hash('correct horse battery')
  expect(await passwords().verify(stored, 'correct horse battery')).toBe(true)
  const guesses = ['correct horse battery', 'Correct horse battery', 'correct horse', '', 'correct horse battery']
  expect(await Promise.all(guesses.map((guess) => verify(stored, guess)))).toEqual([true, false, false, false, true])
  expect(await verifyNothing('correct horse battery')).toBe(false)
})

test('a value that is no hash is rejected, and the thread goes on', async () => {
  const threads = hashThreads({ threads: 1 })
  await expect(threads.verify('no hash', 'correct horse battery')).rejects.toThrow()
  const stored = await threads.hash('correct horse battery', LOW_COST)
  expect(await threads.verify(stored, 'correct horse battery')).toMatchObject({ right: true })
})

test('when a thread ends, its hashes are rejected, and the next ones run in a new thread', async () => {
  const threads = hashThreads({ threads: 1, program: threadProgram(ENDING) })
  expect(await threads.hash('one', LOW_COST)).toBe('one')
  // What waits for the thread meanwhile does not end with it.
  const [ended, waiting] = await Promise.allSettled(['end', 'other'].map((one) => threads.hash(one, LOW_COST)))
  expect(ended).toMatchObject({
    status: 'rejected',
    reason: { code: 'unavailable', cause: { message: expect.stringContaining('has ended') } },
  })
  expect(waiting).toMatchObject({ value: 'other' })
  expect(await threads.hash('two', LOW_COST)).toBe('two')
})

test('when no thread can be started, as many hashes as wait are refused, and the next ones run once one can', async () => {
  // A program that is no file throws at once, as a thread does that the system does not start.
  const program = new URL(pathToFileURL(threadProgram(ENDING)))
  const threads = hashThreads({ threads: 1, program: program as unknown as string })
  const path = program.href
  const refused = { status: 'rejected', reason: { code: 'unavailable' } }
  const all = (...words: string[]) => Promise.allSettled(words.map((one) => threads.hash(one, LOW_COST)))
  program.href = 'https://nowhere.invalid/thread.mjs'
  expect(await all('one', 'two')).toMatchObject([refused, refused])
  program.href = path
  expect(await all('one', 'two')).toMatchObject([{ value: 'one' }, { value: 'two' }])
  // What waits when the last thread has ended.
  const last = all('end', 'other')
  program.href = 'https://nowhere.invalid/thread.mjs'
  expect(await last).toMatchObject([refused, refused])
  program.href = path
  expect(await all('one')).toMatchObject([{ value: 'one' }])
})

test('hashes that wait together are answered with their own results, and the thread measures each', async () => {
  const threads = hashThreads({ threads: 1 })
  const stored = await threads.hash('correct horse battery', LOW_COST)
  const guesses = ['wrong', 'correct horse battery', 'wrong', 'correct horse battery', 'wrong', 'correct horse battery']
  const refused = expect(threads.verify('no hash', 'wrong')).rejects.toThrow()
  const answers = await Promise.all(guesses.map((guess) => threads.verify(stored, guess)))
  await refused
  expect(answers.map(({ right }) => right)).toEqual([false, true, false, true, false, true])
  expect(answers.every(({ ms }) => ms > 0)).toBe(true)
})

test.each([
  [1, [1, 4, 4, 4, 4, 3, 3, 3]],
  [2, [1, 1, 3, 3, 3, 2, 2, 1]],
])(
  'with %i threads, hashes that wait go to a thread together, but none takes those of a free one',
  async (count, together) => {
    // Answers with the number of hashes in the message.
    const threads = hashThreads({
      threads: count,
      program: threadProgram('(works) => parentPort.postMessage(works.map(() => ({ value: works.length })))'),
    })
    const answers = await Promise.all(together.map(() => threads.hash('any', LOW_COST)))
    expect(answers).toEqual(together)
  },
)

/** Answers with the passwords, and ends at the password `end`. */
const ENDING = `(works) => {
  if (works.some(({ password }) => password === 'end')) process.exit()
  parentPort.postMessage(works.map(({ password }) => ({ value: password })))
}`

/** A program of a thread that handles its messages in another way. */
function threadProgram(onMessage: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'vrata-thread-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = join(folder, 'thread.mjs')
  writeFileSync(
    program,
    `import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ${onMessage})`,
  )
  return program
}
