import type { SessionInfo } from '@vrata/contract/sessions'

/** A device: one browser, with all its sessions (design §1). */
export type Device = Pick<SessionInfo, 'device_id' | 'device_name' | 'os' | 'browser'> & {
  key: string
  /** Whether the current session is on it. */
  current: boolean
  /** Whether the user has not confirmed it yet. */
  unknown: boolean
  /** Latest use of its sessions. */
  last_seen: string
  /** The current session first, then by last use. */
  sessions: SessionInfo[]
}

/**
 * Sessions by device: the current one first, then by last use. Unconfirmed sessions stay separate. Sessions of earlier
 * releases have no device; they are grouped by browser and system.
 */
export function devicesOf(sessions: readonly SessionInfo[]): Device[] {
  const known = new Set(sessions.filter((session) => !isUnconfirmed(session)).map(({ device_id }) => device_id))
  // A device keeps its key when it is confirmed: its element stays on the page, and with it the focus.
  const byDevice = Map.groupBy(sessions, (session) => {
    const { device_id, os, browser, id } = session
    if (device_id !== null) return JSON.stringify([device_id, known.has(device_id) && isUnconfirmed(session)])
    return JSON.stringify([os, browser, isUnconfirmed(session) && id])
  })
  return [...byDevice]
    .map(([key, group]) => {
      const sorted = group.toSorted((a, b) => Number(b.current) - Number(a.current) || latestFirst(a, b))
      const { device_id, device_name, os, browser, current, unknown, last_seen } = sorted[0] as SessionInfo
      return {
        key,
        device_id,
        device_name,
        os,
        browser,
        current,
        unknown: isUnconfirmed({ unknown, current }),
        last_seen,
        sessions: sorted,
      }
    })
    .sort((a, b) => Number(b.current) - Number(a.current) || latestFirst(a, b))
}

const isUnconfirmed = ({ unknown, current }: Pick<SessionInfo, 'unknown' | 'current'>) => unknown && !current

const latestFirst = (a: { last_seen: string }, b: { last_seen: string }) => b.last_seen.localeCompare(a.last_seen)

/** Sessions that can be ended here; the current one ends through the menu. */
export function endableSessions({ sessions }: Device): SessionInfo[] {
  return sessions.filter(({ current }) => !current)
}
