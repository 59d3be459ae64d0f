import { Button } from '../button.tsx'
import { type ChartDay, DayChart } from './day-chart.tsx'

/** Days that can be chosen. */
const PERIODS = [7, 30, 90] as const
export type Period = (typeof PERIODS)[number]

/** Chooses how many days are shown. `nameOf` says a number of days in words. */
export function PeriodButtons(props: {
  label: string
  period: Period
  nameOf(days: Period): string
  onChange(days: Period): void
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the card title is the legend
    <div role="group" aria-label={props.label} className="flex flex-wrap gap-1">
      {PERIODS.map((period) => (
        <Button
          key={period}
          size="small"
          className="max-sm:px-3 whitespace-nowrap"
          look={period === props.period ? 'quiet' : 'ghost'}
          aria-pressed={period === props.period}
          onClick={() => props.onChange(period)}
        >
          {props.nameOf(period)}
        </Button>
      ))}
    </div>
  )
}

/** One of the two values of each day. */
type Series = {
  /** Heading of its column. */
  column: string
  /** Label and value shown above the chart. */
  label: string
  total: number
}

/** The format of dates and numbers in the language of the page. */
type Format = { date(day: string): string; number(value: number): string }
type Sentences = { empty: string; chart: string; today: string; day: string; asTable: string }

/** Two daily values as totals, chart and table. */
export function DayFigures(props: {
  days: readonly ChartDay[]
  bar: Series
  line: Series
  sentences: Sentences
  format: Format
}) {
  const { days, bar, line, sentences, format } = props
  const top = Math.max(1, ...days.flatMap((day) => [day.bar, day.line]))
  return (
    <>
      <dl className="mb-5 flex flex-wrap gap-x-10 gap-y-3">
        <Total label={bar.label} value={format.number(bar.total)} mark="bg-brand" />
        <Total label={line.label} value={format.number(line.total)} mark="bg-accent" />
      </dl>
      {bar.total === 0 && line.total === 0 ? (
        <p className="text-muted">{sentences.empty}</p>
      ) : (
        <>
          <DayChart days={days} label={sentences.chart} top={format.number(top)} />
          <div aria-hidden="true" className="mt-1.5 flex justify-between text-small text-muted">
            <span>{days[0] && format.date(days[0].day)}</span>
            <span>{sentences.today}</span>
          </div>
        </>
      )}
      <details className="mt-3">
        <summary className="inline-flex min-h-11 cursor-pointer items-center rounded-row font-semibold text-brand hover:underline">
          {sentences.asTable}
        </summary>
        <table className="w-full max-w-120 mt-2 text-left">
          <thead>
            <tr className="border-b border-line">
              <th scope="col" className="py-2 pr-4 font-semibold">
                {sentences.day}
              </th>
              <th scope="col" className="py-2 pr-4 text-right font-semibold">
                {bar.column}
              </th>
              <th scope="col" className="py-2 text-right font-semibold">
                {line.column}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map((one) => (
              <tr key={one.day} className="border-b border-line last:border-0">
                <th scope="row" className="py-1.5 pr-4 font-normal">
                  {format.date(one.day)}
                </th>
                <td className="py-1.5 pr-4 text-right">{format.number(one.bar)}</td>
                <td className="py-1.5 text-right">{format.number(one.line)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}

function Total({ label, value, mark }: { label: string; value: string; mark: string }) {
  return (
    <div>
      <dt className="flex items-center gap-2 text-muted">
        <span aria-hidden="true" className={`size-2.5 rounded-full ${mark}`} />
        {label}
      </dt>
      <dd className="text-head">{value}</dd>
    </div>
  )
}
