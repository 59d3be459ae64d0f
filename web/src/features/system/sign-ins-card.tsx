import type { Overview } from '@vrata/contract/system'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { DayChart } from '../../ui/content/day-chart.tsx'
import { Card, CardBody, CardHead } from '../../ui/layout/card.tsx'

const PERIODS = [7, 30, 90] as const

/** Sign-ins and rejected ones by day. */
export function SignInsCard({ days: all }: Pick<Overview, 'days'>) {
  const { t, format } = useI18n()
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>(30)
  const days = all.slice(-period)
  const sum = (of: 'sign_ins' | 'failures') => days.reduce((total, day) => total + day[of], 0)
  const totals = { sign_ins: sum('sign_ins'), failures: sum('failures') }
  const top = Math.max(1, ...days.flatMap(({ sign_ins, failures }) => [sign_ins, failures]))
  const periods = (
    // biome-ignore lint/a11y/useSemanticElements: the card title is the legend
    <div role="group" aria-label={t('system.period')} className="flex gap-1">
      {PERIODS.map((one) => (
        <Button
          key={one}
          size="small"
          className="max-sm:px-3 whitespace-nowrap"
          look={one === period ? 'quiet' : 'ghost'}
          aria-pressed={one === period}
          onClick={() => setPeriod(one)}
        >
          {t('system.days', { days: one })}
        </Button>
      ))}
    </div>
  )
  return (
    <Card>
      <CardHead title={t('system.sign_ins.title')} text={t('system.sign_ins.text')} action={periods} />
      <CardBody className="pt-2">
        <dl className="mb-5 flex flex-wrap gap-x-10 gap-y-3">
          <Total label={t('system.sign_ins')} value={format.number(totals.sign_ins)} mark="bg-brand" />
          <Total label={t('system.failures')} value={format.number(totals.failures)} mark="bg-accent" />
        </dl>
        {totals.sign_ins + totals.failures === 0 ? (
          <p className="text-muted">{t('system.sign_ins.none')}</p>
        ) : (
          <>
            <DayChart
              days={days.map(({ day, sign_ins, failures }) => ({
                day,
                title: `${format.date(day)}: ${t('system.sign_ins.day', { sign_ins, failures })}`,
                bar: sign_ins,
                line: failures,
              }))}
              label={t('system.sign_ins.chart', { days: period })}
              top={format.number(top)}
            />
            <div aria-hidden="true" className="mt-1.5 flex justify-between text-small text-muted">
              <span>{days[0] && format.date(days[0].day)}</span>
              <span>{t('system.today')}</span>
            </div>
          </>
        )}
        <Table days={days} />
      </CardBody>
    </Card>
  )
}

function Table({ days }: Pick<Overview, 'days'>) {
  const { t, format } = useI18n()
  return (
    <details className="mt-3">
      <summary className="inline-flex min-h-11 cursor-pointer items-center rounded-row font-semibold text-brand hover:underline">
        {t('system.as_table')}
      </summary>
      <table className="w-full max-w-120 mt-2 text-left tabular-nums">
        <thead>
          <tr className="border-b border-line">
            <th scope="col" className="py-2 pr-4 font-semibold">
              {t('system.day')}
            </th>
            <th scope="col" className="py-2 pr-4 text-right font-semibold">
              {t('system.sign_ins')}
            </th>
            <th scope="col" className="py-2 text-right font-semibold">
              {t('system.failures')}
            </th>
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map(({ day, sign_ins, failures }) => (
            <tr key={day} className="border-b border-line last:border-0">
              <th scope="row" className="py-2 pr-4 font-normal">
                {format.date(day)}
              </th>
              <td className="py-2 pr-4 text-right">{format.number(sign_ins)}</td>
              <td className="py-2 text-right">{format.number(failures)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
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
