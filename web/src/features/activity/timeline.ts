import type { Activity } from '@vrata/contract/activity'
import { localDay, serverTime } from '../../lib/time.ts'

/** One line of the timeline: the newest of what is folded into it, and all of it. */
export type Entry = { newest: Activity; all: Activity[] }
/** `date` is the local day, `2026-11-21`. */
export type Day = { date: string; entries: Entry[] }

/**
 * Activity by local day, newest first. What repeats within a day in one session with one app is one line; everything
 * else stands alone, as each of it is something a person may want to object to.
 */
export function timeline(activities: readonly Activity[]): Day[] {
  const days = new Map<string, Map<string, Entry>>()
  for (const activity of activities) {
    const date = localDay(serverTime(activity.created_at))
    const entries = days.get(date) ?? new Map<string, Entry>()
    days.set(date, entries)
    const key = foldingKey(activity)
    const entry = entries.get(key)
    if (entry) entry.all.push(activity)
    else entries.set(key, { newest: activity, all: [activity] })
  }
  return [...days].map(([date, entries]) => ({ date, entries: [...entries.values()] }))
}

function foldingKey({ id, type, app, session_id }: Activity): string {
  return type === 'LOGGED_IN_TO_APP' ? [type, app?.client_id, session_id].join(' ') : id
}
