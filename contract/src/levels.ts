/** Developer levels, lowest to highest (specification §6). On the wire they are these names. */
export const LEVELS = ['member', 'analyst', 'developer', 'moderator', 'admin', 'owner'] as const
export type Level = (typeof LEVELS)[number]

/**
 * Request header in which a caller may name the organisation that it means, in place of the session's current one; so
 * tabs in different organisations share a session (decision 0104).
 */
export const DEVELOPER_HEADER = 'developer-id'

/** Whether somebody of level `have` may do what asks for `needed`. `null` is "not a member at all". */
export function atLeast(have: Level | null | undefined, needed: Level): boolean {
  return have != null && LEVELS.indexOf(have) >= LEVELS.indexOf(needed)
}
