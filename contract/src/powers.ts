import { LEVELS, type Level } from './levels.ts'

/**
 * What the table of api.md §5 says about people, beyond the one level that a call needs: whom somebody may act on, and
 * which levels they may hand out. The server's rules and the pages read it from here.
 */

/** The highest level that somebody may hand out, by invitation or by change. */
const HIGHEST_TO_GIVE: Record<Level, Level | null> = {
  member: null,
  analyst: null,
  developer: null,
  moderator: 'developer',
  admin: 'moderator',
  owner: 'owner',
}

/** Levels that somebody of this level may hand out, lowest first. */
export function levelsToGive(own: Level | null | undefined): readonly Level[] {
  const highest = own == null ? null : HIGHEST_TO_GIVE[own]
  return highest === null ? [] : LEVELS.slice(0, LEVELS.indexOf(highest) + 1)
}

export function mayGive(own: Level | null | undefined, given: Level): boolean {
  return levelsToGive(own).includes(given)
}

/** Whether somebody may change the level of a member, or remove them: nobody their own level or above, owners excepted. */
export function mayManage(own: Level | null | undefined, theirs: Level): boolean {
  return own === 'owner' || (own === 'admin' && LEVELS.indexOf(theirs) < LEVELS.indexOf('admin'))
}

/** The lowest level that may hand out this one; what a refusal names. */
export function neededToGive(given: Level): Level {
  return LEVELS.find((level) => mayGive(level, given)) ?? 'owner'
}

/** The lowest level that may change or remove a member of this one; what a refusal names. */
export function neededToManage(theirs: Level): Level {
  return LEVELS.find((level) => mayManage(level, theirs)) ?? 'owner'
}
