import type { Activity } from '@vrata/contract/activity'
import type { Formats } from '@vrata/phrases/format'
import { parseServerTime } from '../../lib/format/time.ts'

/** One entry of the timeline: the newest activity of a group and all of them. `key` stays when a newer one joins the group. */
export type Entry = { key: string; newest: Activity; all: Activity[] }
/** `date` is a local day such as `2026-11-21`. */
export type Day = { date: string; entries: Entry[] }

/**
 * Groups activity by local day, newest first. Repeated sign-ins to an app in one session are one entry per day; all
 * other activities stay separate, so that each can be reported.
 */
export function timeline(activities: readonly Activity[], format: Pick<Formats, 'day'>): Day[] {
  const days = new Map<string, Map<string, Entry>>()
  for (const activity of activities) {
    const date = format.day(parseServerTime(activity.created_at))
    const entries = days.get(date) ?? new Map<string, Entry>()
    days.set(date, entries)
    const key = foldingKey(activity)
    const entry = entries.get(key)
    if (entry) entry.all.push(activity)
    else entries.set(key, { key, newest: activity, all: [activity] })
  }
  return [...days].map(([date, entries]) => ({ date, entries: [...entries.values()] }))
}

function foldingKey({ id, type, app, session_id }: Activity): string {
  return type === 'LOGGED_IN_TO_APP' ? [type, app?.client_id, session_id].join(' ') : id
}
