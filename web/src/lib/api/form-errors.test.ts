import type { ProblemBody } from '@vrata/contract'
import { describe, expect, test } from 'vitest'
import { toFormErrors } from './form-errors.ts'

/** Returns key and values, so that tests do not depend on wording. */
const t = (key: string, values?: object) => (values ? `${key} ${JSON.stringify(values)}` : key)
const find = (key: string) => (key.includes('new') ? undefined : t(key))
const failed = (problem: Partial<ProblemBody>, more: { http?: number; retry_after?: number } = {}) => ({
  ok: false as const,
  http: 400,
  problem: { code: 'internal', message: '', ...problem } as ProblemBody,
  ...more,
})

describe('errors of a failed call (product §8.3)', () => {
  test('are shown on the fields named by the server', () =>
    expect(toFormErrors({ t, find }, failed({ code: 'invalid_request', fields: { email: 'invalid_email' } }))).toEqual({
      fields: { email: 'problems.field.invalid_email' },
    }))
  test('are shown on the field of the problem', () =>
    expect(
      toFormErrors({ t, find }, failed({ code: 'invalid_password' }), { invalid_password: 'current_password' }),
    ).toEqual({
      fields: { current_password: 'problems.invalid_password' },
    }))
  test('are otherwise shown for the whole form', () =>
    expect(toFormErrors({ t, find }, failed({ code: 'invalid_credentials' }))).toEqual({
      message: 'problems.invalid_credentials',
    }))
  test('state the wait of throttling, long waits in minutes or hours rounded up', () => {
    const wait = (retry_after: number) =>
      toFormErrors({ t, find }, failed({ code: 'too_many_requests' }, { retry_after })).message
    expect(wait(90)).toBe('ui.wait.seconds {"seconds":90}')
    expect(wait(91)).toBe('ui.wait.minutes {"minutes":2}')
    expect(wait(90 * 60)).toBe('ui.wait.minutes {"minutes":90}')
    expect(wait(24 * 60 * 60)).toBe('ui.wait.hours {"hours":24}')
    expect(wait(0)).toBe('problems.too_many_requests')
  })
  test('have a general sentence for codes of a newer server', () => {
    const code = 'new_code' as ProblemBody['code']
    expect(toFormErrors({ t, find }, failed({ code })).message).toBe('problems.internal')
    const fields = { name: 'new_code' } as unknown as NonNullable<ProblemBody['fields']>
    expect(toFormErrors({ t, find }, failed({ fields })).fields).toEqual({ name: 'problems.field.invalid' })
  })
  test('report a missing response as a connection problem', () =>
    expect(toFormErrors({ t, find }, failed({ code: 'unavailable' }, { http: 0 })).message).toBe('ui.no_answer'))
})
