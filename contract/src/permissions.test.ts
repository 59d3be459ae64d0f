import { expect, test } from 'vitest'
import { LEVELS, type Level } from './levels.ts'
import { canManageMember, grantableLevels, levelNeededToGrant, levelNeededToManage } from './permissions.ts'

/** Permissions on members (api §5.2). */
const TABLE: Record<Level, { grants: Level[]; manages: Level[] }> = {
  member: { grants: [], manages: [] },
  analyst: { grants: [], manages: [] },
  developer: { grants: [], manages: [] },
  moderator: { grants: ['member', 'analyst', 'developer'], manages: [] },
  admin: {
    grants: ['member', 'analyst', 'developer', 'moderator'],
    manages: ['member', 'analyst', 'developer', 'moderator'],
  },
  owner: { grants: [...LEVELS], manages: [...LEVELS] },
}

test.each(LEVELS)('limits the levels that %s grants and the members that they manage', (own) => {
  expect(grantableLevels(own)).toEqual(TABLE[own].grants)
  expect(LEVELS.filter((theirs) => canManageMember(own, theirs))).toEqual(TABLE[own].manages)
})

test('gives no permission to users who are not members', () => {
  expect(grantableLevels(null)).toEqual([])
  expect(LEVELS.filter((theirs) => canManageMember(null, theirs))).toEqual([])
})

test('names the lowest level that has the permission', () => {
  expect(LEVELS.map(levelNeededToGrant)).toEqual(['moderator', 'moderator', 'moderator', 'admin', 'owner', 'owner'])
  expect(LEVELS.map(levelNeededToManage)).toEqual(['admin', 'admin', 'admin', 'admin', 'owner', 'owner'])
})
