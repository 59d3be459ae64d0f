// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useSettled } from './use-settled.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))

test('"Allow" is inert for half a second after the page appears', () => {
  const { result } = renderHook(useSettled)
  pass(499)
  expect(result.current).toBe(false)
  pass(1)
  expect(result.current).toBe(true)
})

test('"Allow" is inert for half a second after the focus returns, from the last return on', () => {
  const { result } = renderHook(useSettled)
  pass(500)
  act(() => void dispatchEvent(new Event('focus')))
  expect(result.current).toBe(false)
  pass(400)
  act(() => void dispatchEvent(new Event('focus')))
  pass(499)
  expect(result.current).toBe(false)
  pass(1)
  expect(result.current).toBe(true)
})
