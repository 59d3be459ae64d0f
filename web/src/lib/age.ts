import { serverTime } from './time.ts'

/** Half a year in milliseconds: what nobody has used for so long is worth a question. */
const LONG = 182 * 24 * 60 * 60 * 1000

/** Whether a moment of the server lies half a year back or more. `now` is in milliseconds. */
export function isLongAgo(at: string, now: number = Date.now()): boolean {
  return now - serverTime(at).getTime() >= LONG
}
