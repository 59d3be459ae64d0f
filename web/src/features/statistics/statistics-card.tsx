import { useQuery } from '@tanstack/react-query'
import type { DailyStatistics } from '@vrata/contract/statistics'
import * as statistics from '@vrata/contract/statistics'
import { useId, useState } from 'react'
import { callQuery } from '../../lib/api/use-call.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { can, useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { DayChart } from '../../ui/content/day-chart.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Shimmer } from '../../ui/feedback/skeleton.tsx'
import { Card, CardBody, CardHead } from '../../ui/layout/card.tsx'

const PERIODS = [7, 30, 90] as const

/** Daily sign-ins and active users of one app or of all apps. Hidden without permission. */
export function StatisticsCard({ client_id }: { client_id?: string }) {
  return can(useUser(), statistics.getDeveloperStatistics) ? <Statistics client_id={client_id} /> : null
}

function Statistics({ client_id }: { client_id: string | undefined }) {
  const { t } = useI18n()
  const id = useId()
  const context = useAppContext()
  const [days, setDays] = useState<(typeof PERIODS)[number]>(30)
  const query = client_id
    ? callQuery(context, statistics.getClientStatistics, { id: client_id, days })
    : callQuery(context, statistics.getDeveloperStatistics, { days })
  const { data, error, refetch } = useQuery<DailyStatistics[]>(query as never)
  const periods = (
    // biome-ignore lint/a11y/useSemanticElements: the card title is the legend
    <div role="group" aria-label={t('statistics.period')} className="flex gap-1">
      {PERIODS.map((period) => (
        <Button
          key={period}
          size="small"
          className="max-sm:px-3 whitespace-nowrap"
          look={period === days ? 'quiet' : 'ghost'}
          aria-pressed={period === days}
          onClick={() => setDays(period)}
        >
          {t('statistics.days', { days: period })}
        </Button>
      ))}
    </div>
  )
  return (
    <Card aria-labelledby={id}>
      <CardHead
        id={id}
        title={t(client_id ? 'statistics.title' : 'statistics.title_all')}
        text={t('statistics.text')}
        action={periods}
      />
      <CardBody className="pt-2">
        {data ? (
          <Figures days={data} />
        ) : error ? (
          <ErrorState
            title={t('statistics.failed')}
            text={t('statistics.failed_text')}
            onRetry={() => void refetch()}
          />
        ) : (
          <div role="status" aria-label={t('statistics.loading')}>
            <Shimmer className="h-58 w-full" />
          </div>
        )}
      </CardBody>
    </Card>
  )
}

function Figures({ days }: { days: DailyStatistics[] }) {
  const { t, format } = useI18n()
  const signIns = days.reduce((sum, day) => sum + day.sign_ins, 0)
  const maximum = Math.max(0, ...days.map((day) => day.active_users))
  const top = Math.max(1, maximum, ...days.map((day) => day.sign_ins))
  const chart = days.map(({ day, sign_ins, active_users }) => ({
    day,
    title: `${format.date(day)}: ${t('statistics.day', { sign_ins, active_users })}`,
    bar: sign_ins,
    line: active_users,
  }))
  return (
    <>
      <dl className="mb-5 flex flex-wrap gap-x-10 gap-y-3">
        <Total label={t('statistics.sign_ins')} value={format.number(signIns)} mark="bg-brand" />
        <Total label={t('statistics.active_most')} value={format.number(maximum)} mark="bg-accent" />
      </dl>
      {signIns === 0 && maximum === 0 ? (
        <p className="text-muted">{t('statistics.empty')}</p>
      ) : (
        <>
          <DayChart days={chart} label={t('statistics.chart', { days: days.length })} top={format.number(top)} />
          <div aria-hidden="true" className="mt-1.5 flex justify-between text-small text-muted">
            <span>{days[0] && format.date(days[0].day)}</span>
            <span>{t('statistics.today')}</span>
          </div>
        </>
      )}
      <details className="mt-3">
        <summary className="inline-flex min-h-11 cursor-pointer items-center rounded-row font-semibold text-brand hover:underline">
          {t('statistics.as_table')}
        </summary>
        <table className="w-full max-w-120 mt-2 text-left tabular-nums">
          <thead>
            <tr className="border-b border-line">
              <th scope="col" className="py-2 pr-4 font-semibold">
                {t('statistics.date')}
              </th>
              <th scope="col" className="py-2 pr-4 text-right font-semibold">
                {t('statistics.sign_ins')}
              </th>
              <th scope="col" className="py-2 text-right font-semibold">
                {t('statistics.active')}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, sign_ins, active_users }) => (
              <tr key={day} className="border-b border-line">
                <th scope="row" className="py-1.5 pr-4 font-normal">
                  {format.date(day)}
                </th>
                <td className="py-1.5 pr-4 text-right">{format.number(sign_ins)}</td>
                <td className="py-1.5 text-right">{format.number(active_users)}</td>
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
      <dd className="text-head tabular-nums">{value}</dd>
    </div>
  )
}
