import { expect, test } from 'vitest'
import { inSmallSteps, smallStepsFor } from './small-steps.ts'

/** Takes away up to so many of a number of rows, and notes how many were asked for. */
function rows(count: number) {
  const asked: number[] = []
  const step = async (most: number) => {
    asked.push(most)
    const done = Math.min(most, count)
    count -= done
    return done
  }
  return { asked, step, left: () => count }
}

test('steps go on until nothing is left, and quick ones become larger', async () => {
  const work = rows(3000)
  expect(await inSmallSteps(work.step)).toBe(3000)
  expect(work.left()).toBe(0)
  expect(Math.max(...work.asked)).toBeGreaterThan(work.asked[0] ?? 0)
})

test('a turn ends after its time and tells whether something is left', async () => {
  const work = rows(3000)
  expect(await smallStepsFor(0, work.step)).toMatchObject({ complete: false })
  expect(work.left()).toBeGreaterThan(0)
  expect(await smallStepsFor(0, rows(1).step)).toEqual({ rows: 1, complete: true })
})
