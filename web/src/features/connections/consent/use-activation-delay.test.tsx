// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useActivationDelay } from './use-activation-delay.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms))

test('is inactive for half a second after the page appears', () => {
  const { result } = renderHook(useActivationDelay)
  pass(499)
  expect(result.current).toBe(false)
  pass(1)
  expect(result.current).toBe(true)
})

test('is inactive for half a second after the last return of focus', () => {
  const { result } = renderHook(useActivationDelay)
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
