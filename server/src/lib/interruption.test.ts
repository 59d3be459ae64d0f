import { join } from 'node:path'
import { expect, test } from 'vitest'
import { outputOf } from '../../test/processes/output-of.ts'

const MODULE = JSON.stringify(join(import.meta.dirname, 'interruption.ts'))

test('the first signal aborts the work, which undoes what it has begun; without it, signals end the process again', async () => {
  const program = `const { unlessInterrupted, untilInterrupted } = await import(${MODULE})
    async function* pieces() {
      for (let i = 0; ; i += 1) yield i
    }
    const work = async (interruption) => {
      process.kill(process.pid, 'SIGTERM')
      try {
        for await (const piece of unlessInterrupted(interruption, pieces()));
      } finally {
        console.log('undone')
      }
    }
    await untilInterrupted(work).catch(({ message, exitCode }) => console.log(message, exitCode))
    console.log(process.listenerCount('SIGTERM'))`
  expect(await outputOf(program)).toBe('undone\nInterrupted by SIGTERM. 143\n0\n')
})
