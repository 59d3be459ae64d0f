import { useQuery } from '@tanstack/react-query'
import type { DailyStatistics } from '@vrata/contract/statistics'
import * as statistics from '@vrata/contract/statistics'
import { useId, useState } from 'react'
import { callQuery, requestIdOf } from '../../lib/api/call-query.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { can } from '../../lib/organizations/allowed-calls.ts'
import { useUser } from '../../lib/session.ts'
import { DayFigures, type Period, PeriodButtons } from '../../ui/content/day-figures.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Shimmer } from '../../ui/feedback/skeleton.tsx'
import { Card, CardBody, CardHead } from '../../ui/layout/card.tsx'

/** Daily sign-ins and active users of one app or of all apps. Hidden without permission. */
export function StatisticsCard({ client_id }: { client_id?: string }) {
  return can(useUser(), statistics.getDeveloperStatistics) ? <Statistics client_id={client_id} /> : null
}

function Statistics({ client_id }: { client_id: string | undefined }) {
  const { t } = useI18n()
  const id = useId()
  const context = useAppContext()
  const [days, setDays] = useState<Period>(30)
  const query = client_id
    ? callQuery(context, statistics.getClientStatistics, { id: client_id, days })
    : callQuery(context, statistics.getDeveloperStatistics, { days })
  const { data, error, refetch } = useQuery<DailyStatistics[]>(query as never)
  return (
    <Card aria-labelledby={id}>
      <CardHead
        id={id}
        title={t(client_id ? 'statistics.title' : 'statistics.title_all')}
        text={t('statistics.text')}
        action={
          <PeriodButtons
            label={t('statistics.period')}
            period={days}
            nameOf={(days) => t('statistics.days', { days })}
            onChange={setDays}
          />
        }
      />
      <CardBody className="pt-2">
        {data ? (
          <Figures days={data} />
        ) : error ? (
          <ErrorState
            title={t('statistics.failed')}
            text={t('statistics.failed_text')}
            onRetry={() => void refetch()}
            code={requestIdOf(error)}
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
  return (
    <DayFigures
      format={format}
      days={days.map(({ day, sign_ins, active_users }) => ({
        day,
        title: `${format.date(day)}: ${t('statistics.day', { sign_ins, active_users })}`,
        bar: sign_ins,
        line: active_users,
      }))}
      bar={{
        column: t('statistics.sign_ins'),
        label: t('statistics.sign_ins'),
        total: days.reduce((sum, day) => sum + day.sign_ins, 0),
      }}
      line={{
        column: t('statistics.active'),
        label: t('statistics.active_most'),
        total: Math.max(0, ...days.map((day) => day.active_users)),
      }}
      sentences={{
        empty: t('statistics.empty'),
        chart: t('statistics.chart', { days: days.length }),
        today: t('menu.today'),
        day: t('statistics.date'),
        asTable: t('statistics.as_table'),
      }}
    />
  )
}
