/**
 * Casts between what rules think in and what columns hold. Columns are text and integer only (house.md §8), so that one
 * migration and one query serve both engines.
 */

/** UTC time with milliseconds, `2026-11-21T10:00:00.000Z`. Sorts as text in the order of time. */
export type TimeText = string & { readonly __time: true }

/** A switch in a column. */
export type Flag = 0 | 1

/** JSON text that holds a `T`. */
export type JsonText<T> = string & { readonly __json: T }

export function toTime(date: Date): TimeText {
  return date.toISOString() as TimeText
}

export function fromTime(text: string): Date {
  return new Date(text)
}

/** The time `seconds` after `date` (before it, when negative), ready for a column. */
export function timeAfter(date: Date, seconds: number): TimeText {
  return toTime(new Date(date.getTime() + seconds * 1000))
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

/** Reads JSON that we wrote ourselves; its shape is not checked again. */
export function fromJson<T>(text: JsonText<T> | string): T {
  return JSON.parse(text) as T
}
