import { expect, test } from 'vitest'
import { passwordWeakness } from './common-passwords.ts'

const ANA = { email: 'ana.novak@example.com', names: ['Ana', 'Novak', 'ananovak'] }

test.each([
  ['a known password', '123qweasdzxc', 'common'],
  ['a known password in capitals', '1QAZ2WSX3EDC', 'common'],
  ['a known password that is also a pattern', 'password1234', 'common'],
  ['the address', 'ana.novak@example.com', 'address'],
  ['a sequence', 'abcdefghijklm', 'run'],
])('rejects %s (security §6.2.4)', (_what, password, weakness) => {
  expect(passwordWeakness(password, ANA)).toBe(weakness)
})

test('accepts unrelated words (security §6.2.5)', () => {
  expect(passwordWeakness('correct horse battery', ANA)).toBeUndefined()
})
