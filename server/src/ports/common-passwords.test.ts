import { expect, test } from 'vitest'
import { isGuessable } from './common-passwords.ts'

const ANA = ['ana.novak@example.com', 'Ana', 'Novak', 'ananovak']

test.each([
  ['a known one', '123qweasdzxc'],
  ['a known one in capitals', '1QAZ2WSX3EDC'],
  ['one letter', 'aaaaaaaaaaaa'],
  ['a piece over and over', 'abc1abc1abc1abc'],
  ['a run', '123456789012345'],
  ['a run of letters', 'abcdefghijklm'],
  ['a run backwards', '987654321098'],
  ['the name with a year', 'Novak2026!!!'],
  ['the address', 'ana.novak@example.com'],
  ['the product', 'vrata-vrata!'],
])('6.2.4 refuses %s', (_what, password) => {
  expect(isGuessable(password, ANA)).toBe(true)
})

test.each([
  ['words nobody puts together', 'correct horse battery'],
  ['a sentence with the own name in it', 'Novak steals horses at noon'],
  ['other letters', 'žabe pojejo ponoči'],
  ['short parts of a name', 'banana-split-on-monday'],
])('6.2.5 accepts %s', (_what, password) => {
  expect(isGuessable(password, ANA)).toBe(false)
})

test('1.3.12 a hostile input costs no time', () => {
  const start = performance.now()
  isGuessable('ab'.repeat(50_000), ANA)
  isGuessable(`${'a'.repeat(100_000)}b`, ANA)
  expect(performance.now() - start).toBeLessThan(500)
})
