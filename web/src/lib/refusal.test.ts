import type { ProblemBody } from '@vrata/contract'
import { describe, expect, test } from 'vitest'
import { refusalOf } from './refusal.ts'

/** Says the key and the values, so that the tests do not depend on the wording. */
const t = (key: string, values?: object) => (values ? `${key} ${JSON.stringify(values)}` : key)
const failed = (problem: Partial<ProblemBody>, more: { http?: number; retry_after?: number } = {}) => ({
  ok: false as const,
  http: 400,
  problem: { code: 'internal', message: '', ...problem } as ProblemBody,
  ...more,
})

describe('§8 a failed call is said in the words of the page', () => {
  test('on the fields that the server names', () =>
    expect(refusalOf({ t }, failed({ code: 'invalid_request', fields: { email: 'invalid_email' } }))).toEqual({
      fields: { email: 'problems.field.invalid_email' },
    }))
  test('on the field that the problem belongs to', () =>
    expect(refusalOf({ t }, failed({ code: 'invalid_password' }), { invalid_password: 'current_password' })).toEqual({
      fields: { current_password: 'problems.invalid_password' },
    }))
  test('else for the whole form', () =>
    expect(refusalOf({ t }, failed({ code: 'invalid_credentials' }))).toEqual({
      message: 'problems.invalid_credentials',
    }))
  test('throttling says when to try again, long waits in minutes rounded up', () => {
    const wait = (retry_after: number) =>
      refusalOf({ t }, failed({ code: 'too_many_requests' }, { retry_after })).message
    expect(wait(90)).toBe('ui.wait.seconds {"seconds":90}')
    expect(wait(91)).toBe('ui.wait.minutes {"minutes":2}')
    expect(wait(0)).toBe('problems.too_many_requests')
  })
  test('no answer at all is not blamed on the service', () =>
    expect(refusalOf({ t }, failed({ code: 'unavailable' }, { http: 0 })).message).toBe('ui.no_answer'))
})
