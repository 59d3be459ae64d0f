import type { UserInfo } from '@vrata/contract/account'
import { formats } from '@vrata/phrases'
import { expect, test } from 'vitest'
import { sharedValues } from './shared-values.ts'

const words = { t: (key: string) => key, format: formats('en-US') } as unknown as Parameters<typeof sharedValues>[2]
const ana = {
  first_name: 'Ana',
  last_name: 'Kovač',
  username: 'ana',
  email: 'ana@example.com',
  phone_number: null,
  birth_date: '1990-02-28',
  country_code: 'SI',
  gender: 'female',
  language: ['sl-SI'],
} as unknown as UserInfo

test.each([
  ['profile', ['Ana Kovač', 'ana', 'February 28, 1990', 'connections.gender.female', 'Slovenian (Slovenia)']],
  ['email', ['ana@example.com']],
  ['phone', []],
  ['address', ['Slovenia']],
  ['notes.read', []],
])('lists the values that %s reveals (product §3.5)', (key, values) => {
  expect(sharedValues(key, ana, words)).toEqual(values)
})

test('lists nothing for an empty profile', () => {
  const nobody = { ...ana, first_name: '', last_name: '', username: null, birth_date: null, gender: null, language: [] }
  expect(sharedValues('profile', nobody as unknown as UserInfo, words)).toEqual([])
})
