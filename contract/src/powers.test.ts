import { expect, test } from 'vitest'
import { LEVELS, type Level } from './levels.ts'
import { levelsToGive, mayManage, neededToGive, neededToManage } from './powers.ts'

/** The table of api.md §5, word by word. */
const TABLE: Record<Level, { gives: Level[]; manages: Level[] }> = {
  member: { gives: [], manages: [] },
  analyst: { gives: [], manages: [] },
  developer: { gives: [], manages: [] },
  moderator: { gives: ['member', 'analyst', 'developer'], manages: [] },
  admin: {
    gives: ['member', 'analyst', 'developer', 'moderator'],
    manages: ['member', 'analyst', 'developer', 'moderator'],
  },
  owner: { gives: [...LEVELS], manages: [...LEVELS] },
}

test.each(LEVELS)('§6 what %s hands out, and whom they may act on', (own) => {
  expect(levelsToGive(own)).toEqual(TABLE[own].gives)
  expect(LEVELS.filter((theirs) => mayManage(own, theirs))).toEqual(TABLE[own].manages)
})

test('§6 somebody who is no member hands out nothing and acts on nobody', () => {
  expect(levelsToGive(null)).toEqual([])
  expect(LEVELS.filter((theirs) => mayManage(null, theirs))).toEqual([])
})

test('§6 a refusal names the level that would do', () => {
  expect(LEVELS.map(neededToGive)).toEqual(['moderator', 'moderator', 'moderator', 'admin', 'owner', 'owner'])
  expect(LEVELS.map(neededToManage)).toEqual(['admin', 'admin', 'admin', 'admin', 'owner', 'owner'])
})
