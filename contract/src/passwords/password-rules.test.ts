import { describe, expect, test } from 'vitest'
import { isListed, patternWeakness } from './password-rules.ts'

const ANA = { email: 'ana.novak@example.com', names: ['Ana', 'Novak', 'ananovak', null] }

describe('weakness of a password by its pattern (security §6.2.4)', () => {
  test.each([
    ['ana.novak@example.com', 'address'],
    ['Ana.Novak@Example.com1!', 'address'],
    ['Novak2026!!!', 'own'],
    ['ana.novak1234', 'own'],
    ['vrata-vrata!', 'own'],
    ['aaaaaaaaaaaa', 'repeats'],
    ['abc1abc1abc1abc', 'repeats'],
    ['Kp!7x2mQ9Kp!7x2mQ9', 'repeats'],
    ['13.05.198813.05.1988', 'repeats'],
    ['123456789012345', 'run'],
    ['abcdefghijklm', 'run'],
    ['987654321098', 'run'],
    ['qwertzuiopasdf', 'run'],
    ['password1234', 'words'],
    ['P@ssw0rd-2026', 'words'],
    ['geslo-2026-01', 'words'],
    ['Mojalozinka12', 'words'],
    ['mama in mama', 'plain'],
  ])('%s: %s', (password, weakness) => expect(patternWeakness(password, ANA)).toBe(weakness))

  test.each([
    'correct horse battery',
    'Novak steals horses at noon',
    'žabe pojejo ponoči',
    'banana-split-on-monday',
    'plava-jadrnica-7',
    'x7Kp!2mQ9zLw',
    'češnja pod oknom',
    'T4bla&mizica!sonce',
  ])('accepts %s (security §6.2.5)', (password) => expect(patternWeakness(password, ANA)).toBeUndefined())

  test('knows the name of the installation instead of Vrata, where it has one', () => {
    const acme = { ...ANA, installation: 'Acme ID' }
    expect(patternWeakness('acme-2026-id', acme)).toBe('own')
    expect(patternWeakness('acme-2026-id', ANA)).toBeUndefined()
    expect(patternWeakness('zelenavrata7', ANA)).toBe('own')
    expect(patternWeakness('zelenavrata7', acme)).toBeUndefined()
  })

  test('takes linear time (security §1.3.12)', () => {
    const start = process.threadCpuUsage()
    patternWeakness('ab'.repeat(50_000), ANA)
    patternWeakness(`${'a'.repeat(100_000)}b`, ANA)
    expect(process.threadCpuUsage(start).user, 'microseconds of CPU time').toBeLessThan(1_000_000)
  })
})

test('finds an entry in the sorted list by its first bytes', () => {
  const list = Uint8Array.from([0, 0, 0, 0, 1, 7, 8, 9, 1, 2, 255, 0, 0, 0, 0])
  for (const entry of [
    [0, 0, 0, 0, 1],
    [7, 8, 9, 1, 2, 99],
    [255, 0, 0, 0, 0],
  ]) {
    expect(isListed(list, Uint8Array.from(entry))).toBe(true)
  }
  expect(isListed(list, Uint8Array.from([7, 8, 9, 1, 3]))).toBe(false)
  expect(isListed(new Uint8Array(), Uint8Array.from([0, 0, 0, 0, 1]))).toBe(false)
})
