import type { SessionInfo } from '@vrata/contract/auth'

/** What people call a device: one browser of one system, however often it has signed in (design.md §1). */
export type Device = {
  os: string | null
  browser: string | null
  /** This very browser is among its sessions. */
  current: boolean
  /** Of all its sessions the latest. */
  last_seen: string
  /** The current one first, then by last use. */
  sessions: SessionInfo[]
}

/** Sessions by device: this one first, the others by last use. */
export function devicesOf(sessions: readonly SessionInfo[]): Device[] {
  const byDevice = Map.groupBy(sessions, ({ os, browser }) => JSON.stringify([os, browser]))
  return [...byDevice.values()]
    .map((group) => {
      const sorted = group.toSorted((a, b) => Number(b.current) - Number(a.current) || latestFirst(a, b))
      const { os, browser, current, last_seen } = sorted[0] as SessionInfo
      return { os, browser, current, last_seen, sessions: sorted }
    })
    .sort((a, b) => Number(b.current) - Number(a.current) || latestFirst(a, b))
}

const latestFirst = (a: { last_seen: string }, b: { last_seen: string }) => b.last_seen.localeCompare(a.last_seen)

/** Sessions of a device that can be ended from here: signing out of this very one is the menu's. */
export function endable({ sessions }: Device): SessionInfo[] {
  return sessions.filter(({ current }) => !current)
}
