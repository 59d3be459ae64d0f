export type ChartDay = {
  /** `2026-11-21` */
  day: string
  /** Localized day with its values. */
  title: string
  bar: number
  line: number
}

const HEIGHT = 100

/** Chart of two daily values: bars and a line. A table beside it is required for screen readers. */
export function DayChart({ days, label, top }: { days: readonly ChartDay[]; label: string; top: string }) {
  const maximum = Math.max(1, ...days.flatMap(({ bar, line }) => [bar, line]))
  const y = (value: number) => HEIGHT - (value / maximum) * HEIGHT
  const line = days.map((day, i) => `${i + 0.5},${y(day.line)}`).join(' ')
  return (
    <div className="relative">
      <span aria-hidden="true" className="absolute -top-1 left-0 bg-surface pr-2 text-small text-muted">
        {top}
      </span>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${days.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="block h-40 w-full overflow-visible border-b border-edge pt-2"
      >
        <line x1="0" x2={days.length} y1="0" y2="0" className="stroke-line" vectorEffect="non-scaling-stroke" />
        {days.map((day, i) => (
          <g key={day.day}>
            <title>{day.title}</title>
            {/* The whole column reacts to the pointer. */}
            <rect x={i} y="0" width="1" height={HEIGHT} className="fill-transparent hover:fill-sunken" />
            <rect x={i + 0.15} y={y(day.bar)} width="0.7" height={HEIGHT - y(day.bar)} className="fill-brand" />
          </g>
        ))}
        <polyline
          points={line}
          fill="none"
          className="pointer-events-none stroke-accent"
          strokeWidth="3"
          strokeLinejoin="round"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </div>
  )
}
