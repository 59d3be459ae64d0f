import { LEVELS, type Level } from './levels.ts'

/**
 * Permissions of members on members (api §5.2), for server and pages: whom a member may change or remove, and which levels
 * they may grant.
 */

/** The highest level that a member may grant, by invitation or change, by own level. */
const HIGHEST_GRANTABLE_LEVEL: Record<Level, Level | null> = {
  member: null,
  analyst: null,
  developer: null,
  moderator: 'developer',
  admin: 'moderator',
  owner: 'owner',
}

/** Returns the levels that a member may grant, lowest first. */
export function grantableLevels(own: Level | null | undefined): readonly Level[] {
  const highest = own == null ? null : HIGHEST_GRANTABLE_LEVEL[own]
  return highest === null ? [] : LEVELS.slice(0, LEVELS.indexOf(highest) + 1)
}

export function canGrantLevel(own: Level | null | undefined, given: Level): boolean {
  return grantableLevels(own).includes(given)
}

/** Tells whether a member may change or remove another: only members below the own level, except as owner. */
export function canManageMember(own: Level | null | undefined, theirs: Level): boolean {
  return own === 'owner' || (own === 'admin' && LEVELS.indexOf(theirs) < LEVELS.indexOf('admin'))
}

/** Returns the lowest level that may grant this one, for `insufficient_level`. */
export function levelNeededToGrant(given: Level): Level {
  return LEVELS.find((level) => canGrantLevel(level, given)) ?? 'owner'
}

/** Returns the lowest level that may change or remove a member of this one, for `insufficient_level`. */
export function levelNeededToManage(theirs: Level): Level {
  return LEVELS.find((level) => canManageMember(level, theirs)) ?? 'owner'
}
