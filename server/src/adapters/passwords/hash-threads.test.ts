import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LOW_COST } from '../../../../testing/low-cost.ts'
import { hashThreads, NICE, THREAD_NAME } from './hash-threads.ts'
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
  expect(await threads.verify(stored, 'correct horse battery')).toBe(true)
})

test.runIf(process.platform === 'linux')(
  'on Linux the threads have a lower priority than the thread that started them (performance §2)',
  async () => {
    await hash('correct horse battery')
    const priorities = nices(THREAD_NAME)
    expect(priorities.length).toBeGreaterThan(0)
    for (const nice of priorities) expect(nice).toBe(Math.min(19, getPriority() + NICE))
  },
)

test('when a thread ends, its hashes are rejected, and the next ones run in a new thread', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vrata-thread-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = join(folder, 'thread.mjs')
  writeFileSync(
    program,
    `import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ id, password }) => {
      if (password === 'end') process.exit()
      parentPort.postMessage({ id, value: password })
    })`,
  )
  const threads = hashThreads({ threads: 1, program })
  expect(await threads.hash('one', LOW_COST)).toBe('one')
  await expect(threads.hash('end', LOW_COST)).rejects.toThrow('has ended')
  expect(await threads.hash('two', LOW_COST)).toBe('two')
})

/** Priorities of the threads of this process with this name (proc_pid_stat(5): `nice` is field 19). */
function nices(name: string): number[] {
  return readdirSync('/proc/self/task').flatMap((id) => {
    const [head = '', fields = ''] = readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(') ')
    return head.endsWith(`(${name}`) ? [Number(fields.split(' ')[16])] : []
  })
}
