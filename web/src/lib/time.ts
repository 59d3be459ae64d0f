import type { Formats } from '@vrata/phrases/format'

/** Times from the server are UTC (specification §3); one that names no zone is read as such. */
export function serverTime(value: string): Date {
  return new Date(/(?:Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`)
}

/** What a `<time>` shows: relative words, the exact local time for the tooltip, and the machine's own form. */
export function shownTime(value: string, format: Formats, now?: number) {
  const date = serverTime(value)
  return { words: format.relative(date, now), exact: format.moment(date), dateTime: date.toISOString() }
}

/** The day on which somebody here lived through a moment. */
export function localDay(moment: Date): string {
  const two = (figure: number) => String(figure).padStart(2, '0')
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
}
