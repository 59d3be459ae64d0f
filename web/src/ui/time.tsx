export type TimeProps = {
  /** The server's UTC time, e.g. `2026-11-21T08:00:00.000Z`. */
  at: string
  /** Relative words: "2 hours ago". */
  words: string
  /** The exact local time, shown on hover. */
  exact: string
}

/** A moment: relative words, the exact time in the tooltip, the machine's time in the markup. */
export function Time({ at, words, exact }: TimeProps) {
  return (
    <time dateTime={at} title={exact}>
      {words}
    </time>
  )
}
