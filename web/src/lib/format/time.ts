import type { Formats } from '@vrata/phrases/format'

/** Parses a time of the server; times without zone are UTC (product §3.9). */
export function parseServerTime(value: string): Date {
  return new Date(/(?:Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`)
}

/** Relative time, exact local time for the tooltip, and the value of `datetime`. */
export function formatTime(value: string, format: Formats, now?: number) {
  const date = parseServerTime(value)
  return { words: format.relative(date, now), exact: format.dateTime(date), dateTime: date.toISOString() }
}
