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
  entry('settings', 'Država'),
  entry('settings', 'Rođendan'),
  entry('apps', 'Jadrolet', 'Studio Jadro'),
]
const find = (query: string) => findEntries(ALL, query).map(({ label }) => label)

test('lists pages without a query', () => expect(find('  ')).toEqual(['Change password', 'Passkeys']))

test.each([
  ['pass', ['Passkeys', 'Change password']],
  ['DRZAVA', ['Država']],
  ['rođ', ['Rođendan']],
  ['rodendan', ['Rođendan']],
  ['jadro studio', ['Jadrolet']],
  ['example', ['Ana Novak']],
  ['nothing', []],
])('finds %s', (query, labels) => expect(find(query)).toEqual(labels))

test('shows at most six of a group', () => {
  const many = Array.from({ length: 9 }, (_, number) => entry('apps', `App ${number}`))
  expect(findEntries(many, 'app')).toHaveLength(6)
})
