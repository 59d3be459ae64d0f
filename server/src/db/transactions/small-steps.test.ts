import { expect, test } from 'vitest'
import { makeHandle } from '../compiled-queries/handle.ts'
import { inSmallSteps, smallStepsFor } from './small-steps.ts'

const ENGINES = ['sqlite', 'postgres'] as const
/** The steps of these tests ask nothing. */
const handleOf = (engine: (typeof ENGINES)[number]) => makeHandle(engine, () => Promise.reject(new Error('no query')))

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

test.each(ENGINES)('on %s, steps go on until nothing is left, and quick ones become larger', async (engine) => {
  const db = handleOf(engine)
  const work = rows(3000)
  expect(await inSmallSteps(db, work.step)).toBe(3000)
  expect(work.left()).toBe(0)
  expect(Math.max(...work.asked)).toBeGreaterThan(work.asked[0] ?? 0)
})

test.each(ENGINES)('on %s, a turn ends after its time and returns whether rows are left', async (engine) => {
  const db = handleOf(engine)
  const work = rows(3000)
  expect(await smallStepsFor(db, 0, work.step)).toMatchObject({ complete: false })
  expect(work.left()).toBeGreaterThan(0)
  expect(await smallStepsFor(db, 0, rows(1).step)).toEqual({ rows: 1, complete: true })
})
