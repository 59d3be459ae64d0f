import { expect, test } from 'vitest'
import { find } from './find.ts'
import type { Sections } from './tree.ts'

const SECTIONS: Sections = [
  ['tokens', '', 'Tokens', 'What an app holds after a sign-in.'],
  ['tokens', 'refresh', 'Refresh', 'A refresh token is exchanged for a new pair. A replayed one ends the family.'],
  ['errors', 'invalid_grant', 'invalid_grant', 'The code or refresh token is spent, expired or not yours.'],
]
const found = (query: string) => find(SECTIONS, query).map(({ page, anchor }) => `${page}#${anchor}`)

test('a heading comes before a text that says the same', () => {
  expect(found('refresh')).toEqual(['tokens#refresh', 'errors#invalid_grant'])
})

test('the beginning of a word is enough, its middle is not', () => {
  expect(found('inval')).toEqual(['errors#invalid_grant'])
  expect(found('fresh')).toEqual([])
})

test('every word must be there', () => {
  expect(found('refresh family')).toEqual(['tokens#refresh'])
  expect(found('refresh nowhere')).toEqual([])
})

test('signs and an empty question find nothing, and break nothing', () => {
  expect(found('')).toEqual([])
  expect(found('(*[')).toEqual([])
})
