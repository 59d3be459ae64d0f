/** Levels of members, lowest to highest (product §6). */
export const LEVELS = ['member', 'analyst', 'developer', 'moderator', 'admin', 'owner'] as const
export type Level = (typeof LEVELS)[number]

/**
 * Request header with the id of the developer account to act in, instead of the current one of the session. It lets
 * browser tabs of one session act in different developer accounts (decision 0005).
 */
export const DEVELOPER_HEADER = 'developer-id'

/** Tells whether a level satisfies a required level. Null means no member. */
export function atLeast(have: Level | null | undefined, needed: Level): boolean {
  return have != null && LEVELS.indexOf(have) >= LEVELS.indexOf(needed)
}
