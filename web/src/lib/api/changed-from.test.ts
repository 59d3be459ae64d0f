import { expect, test } from 'vitest'
import { mergedList } from './changed-from.ts'

test('a list that was changed here keeps what others have added and removed meanwhile', () => {
  expect(mergedList(['a', 'b', 'c'], ['a', 'c', 'new'], ['a', 'b', 'theirs'])).toEqual(['a', 'theirs', 'new'])
  expect(mergedList(['a'], ['a', 'new'], ['a', 'new'])).toEqual(['a', 'new'])
  expect(mergedList(['a'], ['a'], [])).toEqual([])
})
