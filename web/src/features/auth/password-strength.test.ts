import { describe, expect, test } from 'vitest'
import { isSecure, weaknessOf } from './password-strength.ts'

describe('§5 the strength indicator', () => {
  test.each(['plava-jadrnica-7', 'x7Kp!2mQ9zLw', 'kruh in sir ob burji', 'češnja pod oknom'])(
    'calls %s secure',
    (password) => expect(isSecure(password)).toBe(true),
  )
  test('calls eleven characters not secure, however good', () => expect(isSecure('x7Kp!2mQ9zL')).toBe(false))
  test.each([
    ['aaaaaaaaaaaaaaaa', 'repeats'],
    ['burjaburjaburja', 'repeats'],
    ['123456789012', 'run'],
    ['9876543210987', 'run'],
    ['qwertzuiopasdf', 'run'],
    ['ana.novak1234', 'own'],
    ['Vrata2026!!!', 'own'],
    ['mama in mama', 'plain'],
  ])('says of %s that it is weak: %s', (password, weakness) =>
    expect(weaknessOf(password, ['Ana', 'Novak', 'ana.novak@example.com'])).toBe(weakness),
  )
  test('lets a name stand in a much longer password', () =>
    expect(weaknessOf('Novak pije kavo ob petih', ['Novak'])).toBeUndefined())
})
