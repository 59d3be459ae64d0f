import type { Overview } from '@vrata/contract/system'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { DayFigures, type Period, PeriodButtons } from '../../ui/content/day-figures.tsx'
import { Card, CardBody, CardHead } from '../../ui/layout/card.tsx'

/** Sign-ins and rejected ones by day. */
export function SignInsCard({ days: all }: Pick<Overview, 'days'>) {
  const { t, format } = useI18n()
  const [period, setPeriod] = useState<Period>(30)
  const days = all.slice(-period)
  const sum = (of: 'sign_ins' | 'failures') => days.reduce((total, day) => total + day[of], 0)
  const signIns = t('system.sign_ins')
  const failures = t('system.failures')
  return (
    <Card>
      <CardHead
        title={t('system.sign_ins.title')}
        text={t('system.sign_ins.text')}
        action={
          <PeriodButtons
            label={t('system.period')}
            period={period}
            nameOf={(days) => t('system.days', { days })}
            onChange={setPeriod}
          />
        }
      />
      <CardBody className="pt-2">
        <DayFigures
          format={format}
          days={days.map(({ day, sign_ins, failures }) => ({
            day,
            title: `${format.date(day)}: ${t('system.sign_ins.day', { sign_ins, failures })}`,
            bar: sign_ins,
            line: failures,
          }))}
          bar={{ column: signIns, label: signIns, total: sum('sign_ins') }}
          line={{ column: failures, label: failures, total: sum('failures') }}
          sentences={{
            empty: t('system.sign_ins.none'),
            chart: t('system.sign_ins.chart', { days: period }),
            today: t('menu.today'),
            day: t('system.day'),
            asTable: t('system.as_table'),
          }}
        />
      </CardBody>
    </Card>
  )
}
