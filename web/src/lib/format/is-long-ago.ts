import { parseServerTime } from './time.ts'

/** Half a year in milliseconds. */
const LONG = 182 * 24 * 60 * 60 * 1000

/** Whether a time is at least half a year ago. `now` is in milliseconds. */
export function isLongAgo(at: string, now: number): boolean {
  return now - parseServerTime(at).getTime() >= LONG
}
