import { expect, test } from 'vitest'
import { fewestBytesLeftBy } from '../../../../testing/old-generation.ts'
import { Backends } from './backends.ts'
import type { Sent } from './statements.ts'

test('nothing of a statement outlives its answer until the old generation is collected (decision 0130)', async () => {
  const backends = new Backends()
  const state = { pid: 7 }
  // Sixteen at once, as under load; each has something in the place of its rows.
  const answers: Promise<number>[] = []
  const statement = async () => {
    const sent = { state, rows: Array.from({ length: 500 }, (_, i) => i) } as unknown as Sent
    answers.push(
      backends.watch(
        sent,
        Promise.resolve().then(() => sent.parameters?.length ?? 0),
      ),
    )
    if (answers.length === 16) await Promise.all(answers.splice(0))
  }
  expect(await fewestBytesLeftBy(statement)).toBeLessThan(200)
})
