import { expect, test } from 'vitest'
import { type Entry, findEntries } from './entries.ts'

const entry = (group: Entry['group'], label: string, text?: string): Entry => ({
  key: label,
  group,
  label,
  text,
  href: `/${label}`,
})
const ALL = [
  entry('people', 'Ana Novak', 'ana@example.com'),
  entry('pages', 'Change password'),
  entry('pages', 'Passkeys'),
  entry('pages', 'Prijava v dveh korakih'),
  entry('settings', 'Država'),
  entry('settings', 'Rođendan'),
  entry('settings', 'E-\u2060naslov'),
  entry('apps', 'Jadrolet', 'Studio Jadro'),
]
const find = (query: string) => findEntries(ALL, query).map(({ label }) => label)

test('lists pages without a query', () =>
  expect(find('  ')).toEqual(['Change password', 'Passkeys', 'Prijava v dveh korakih']))

test.each([
  ['pass', ['Passkeys', 'Change password']],
  ['DRZAVA', ['Država']],
  ['rođ', ['Rođendan']],
  ['rodendan', ['Rođendan']],
  ['e-naslov', ['E-\u2060naslov']],
  ['jadro studio', ['Jadrolet']],
  // Two letters are inside most labels, so they find beginnings of words only.
  ['ja', ['Jadrolet']],
  ['ijav', ['Prijava v dveh korakih']],
  ['ex', ['Ana Novak']],
  ['example', ['Ana Novak']],
  ['nothing', []],
])('finds %s', (query, labels) => expect(find(query)).toEqual(labels))

test('shows at most six of a group', () => {
  const many = Array.from({ length: 9 }, (_, number) => entry('apps', `App ${number}`))
  expect(findEntries(many, 'app')).toHaveLength(6)
})
