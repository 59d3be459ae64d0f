import type { SessionInfo } from '@vrata/contract/auth'

/** What people call a device: one browser of one system, however often it has signed in (design.md §1). */
export type Device = {
  os: string | null
  browser: string | null
  /** This very browser is among its sessions. */
  current: boolean
  /** Nobody has said yet that they know it. */
  unknown: boolean
  /** Of all its sessions the latest. */
  last_seen: string
  /** The current one first, then by last use. */
  sessions: SessionInfo[]
}

/**
 * Sessions by device: this one first, the others by last use. One that is not known yet stands alone: somebody else's
 * browser may be of the same kind as one's own.
 */
export function devicesOf(sessions: readonly SessionInfo[]): Device[] {
  const byDevice = Map.groupBy(sessions, ({ os, browser, id, unknown, current }) =>
    JSON.stringify([os, browser, unknown && !current && id]),
  )
  return [...byDevice.values()]
    .map((group) => {
      const sorted = group.toSorted((a, b) => Number(b.current) - Number(a.current) || latestFirst(a, b))
      const { os, browser, current, unknown, last_seen } = sorted[0] as SessionInfo
      return { os, browser, current, unknown: unknown && !current, last_seen, sessions: sorted }
    })
    .sort((a, b) => Number(b.current) - Number(a.current) || latestFirst(a, b))
}

const latestFirst = (a: { last_seen: string }, b: { last_seen: string }) => b.last_seen.localeCompare(a.last_seen)

/** Sessions of a device that can be ended from here: signing out of this very one is the menu's. */
export function endable({ sessions }: Device): SessionInfo[] {
  return sessions.filter(({ current }) => !current)
}
