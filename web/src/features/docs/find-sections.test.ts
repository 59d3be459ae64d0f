import { expect, test } from 'vitest'
import { findSections } from './find-sections.ts'
import type { Sections } from './tree.ts'

const SECTIONS: Sections = [
  ['tokens', '', 'Tokens', 'What an app holds after a sign-in.'],
  ['tokens', 'refresh', 'Refresh', 'A refresh token is exchanged for a new pair. A replayed one ends the family.'],
  ['errors', 'invalid_grant', 'invalid_grant', 'The code or refresh token is spent, expired or not yours.'],
]
const found = (query: string) => findSections(SECTIONS, query).map(({ page, anchor }) => `${page}#${anchor}`)

test('ranks headings above text', () => {
  expect(found('refresh')).toEqual(['tokens#refresh', 'errors#invalid_grant'])
})

test('matches prefixes of words only', () => {
  expect(found('inval')).toEqual(['errors#invalid_grant'])
  expect(found('fresh')).toEqual([])
})

test('requires every word', () => {
  expect(found('refresh family')).toEqual(['tokens#refresh'])
  expect(found('refresh nowhere')).toEqual([])
})

test('finds nothing for punctuation and an empty query', () => {
  expect(found('')).toEqual([])
  expect(found('(*[')).toEqual([])
})
