export type TimeProps = {
  /** UTC time of the server, e.g. `2026-11-21T08:00:00.000Z`. */
  at: string
  /** Relative time: "2 hours ago". */
  words: string
  /** Exact local time for the tooltip. */
  exact: string
}

/** A time: relative text, exact time in the tooltip, machine-readable value. */
export function Time({ at, words, exact }: TimeProps) {
  return (
    <time dateTime={at} title={exact}>
      {words}
    </time>
  )
}
