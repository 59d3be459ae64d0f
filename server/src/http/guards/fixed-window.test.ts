import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FixedWindow } from './fixed-window.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('each key is counted until the window ends, which the first event has begun', () => {
  const window = new FixedWindow(60)
  expect([window.count('a'), window.count('a'), window.count('b')]).toEqual([1, 2, 1])
  expect(window.secondsLeft).toBe(60)
  vi.advanceTimersByTime(59_500)
  expect([window.count('a'), window.secondsLeft]).toEqual([3, 1])
  vi.advanceTimersByTime(500)
  expect(window.count('a')).toBe(1)
  vi.advanceTimersByTime(30_000)
  expect([window.count('a'), window.secondsLeft]).toEqual([2, 30])
})

test('a window without events needs no timer', () => {
  const window = new FixedWindow(60)
  window.count('a')
  vi.advanceTimersByTime(60_000)
  expect(vi.getTimerCount()).toBe(0)
})

test('the count restarts with a key beyond the limit, not with one that is already counted', () => {
  const window = new FixedWindow(60, 3)
  for (const key of ['a', 'b', 'c']) window.count(key)
  expect(window.count('a')).toBe(2)
  expect([window.count('d'), window.count('a')]).toEqual([1, 1])
})
