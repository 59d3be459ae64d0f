/** Conversions between values of rules and of columns, which are text and integer only (architecture §6.2). */

/** UTC time with milliseconds, `2026-11-21T10:00:00.000Z`; sorts as text. */
export type TimeText = string & { readonly __time: true }

/** A boolean column. */
export type Flag = 0 | 1

/** JSON text of a `T`. */
export type JsonText<T> = string & { readonly __json: T }

/** Times that were written last: under load several requests come in each millisecond, and to write a time takes longer than to find one. */
const written = new Map<number, TimeText>()
const MOST_WRITTEN = 64

export function toTime(date: Date): TimeText {
  const time = date.getTime()
  const known = written.get(time)
  if (known !== undefined) return known
  const text = date.toISOString() as TimeText
  if (written.size === MOST_WRITTEN) written.clear()
  written.set(time, text)
  return text
}

export function fromTime(text: string): Date {
  return new Date(text)
}

/** The time `seconds` after `date` (before it when negative), as a column value. */
export function timeAfter(date: Date, seconds: number): TimeText {
  return toTime(new Date(date.getTime() + seconds * 1000))
}

/** Seconds from `text` to `date`, with milliseconds. */
export function secondsSince(text: string, date: Date): number {
  return (date.getTime() - fromTime(text).getTime()) / 1000
}

export function toFlag(value: boolean): Flag {
  return value ? 1 : 0
}

export function fromFlag(value: number): boolean {
  return value !== 0
}

export function toJson<T>(value: T): JsonText<T> {
  return JSON.stringify(value) as JsonText<T>
}

/** Parses JSON that this server has written; its shape is not checked. */
export function fromJson<T>(text: JsonText<T> | string): T {
  return JSON.parse(text) as T
}
