import { useQuery } from '@tanstack/react-query'
import { paths } from '@vrata/contract/page-addresses'
import type { Overview } from '@vrata/contract/system'
import * as system from '@vrata/contract/system'
import type { ReactNode } from 'react'
import { callQuery, requestIdOf } from '../../lib/api/call-query.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { formatTime, parseServerTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { Time } from '../../ui/content/time.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { AlertIcon } from '../../ui/icons/icons.tsx'
import { AttentionCard, Card, CardBody, CardHead } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { SetupCard } from './setup-card.tsx'
import { SignInsCard } from './sign-ins-card.tsx'

/** The state of the installation at a glance: the first page of operators. */
export function OverviewPage() {
  const { t } = useI18n()
  const { data, error, refetch } = useQuery(callQuery(useAppContext(), system.getOverview, {}))
  return (
    <div className="space-y-6">
      <PageHead title={t('system.overview.title')} text={t('system.overview.text')} />
      <SetupCard />
      {data ? (
        <>
          <Warnings warnings={data.warnings} />
          <Approvals approvals={data.approvals} />
          <Counts overview={data} />
          <SignInsCard days={data.days} />
          <Facts overview={data} />
        </>
      ) : error ? (
        <ErrorState
          title={t('system.failed')}
          text={t('system.failed_text')}
          onRetry={() => void refetch()}
          code={requestIdOf(error)}
        />
      ) : (
        <Card>
          <SkeletonRows rows={6} label={t('system.loading')} />
        </Card>
      )}
    </div>
  )
}

function Warnings({ warnings }: Pick<Overview, 'warnings'>) {
  const { t } = useI18n()
  if (warnings.length === 0) return null
  return (
    <AttentionCard
      title={t('system.warnings', { count: warnings.length })}
      text={t('system.warnings.text')}
      icon={<AlertIcon />}
    >
      <Rows label={t('system.warnings', { count: warnings.length })}>
        {warnings.map(({ check, says }) => (
          <Row
            key={check}
            label={t(`system.warning.${check}`)}
            text={
              <span lang="en" className="font-mono wrap-anywhere">
                {says}
              </span>
            }
          />
        ))}
      </Rows>
    </AttentionCard>
  )
}

/** Numbers of organizations and apps that wait for approval; renders nothing when there are none. */
function Approvals({ approvals: { organizations, clients } }: Pick<Overview, 'approvals'>) {
  const { t } = useI18n()
  const rows = [
    {
      count: organizations,
      label: t('menu.approval.waiting.organizations', { count: organizations }),
      href: paths.adminOrganizationsIn('pending'),
    },
    { count: clients, label: t('menu.approval.waiting.apps', { count: clients }), href: paths.adminAppsIn('pending') },
  ].filter(({ count }) => count > 0)
  if (rows.length === 0) return null
  return (
    <Card>
      <CardHead title={t('menu.approval.waiting')} />
      <Rows label={t('menu.approval.waiting')}>
        {rows.map(({ label, href }) => (
          <Row key={href} label={label} href={href} />
        ))}
      </Rows>
    </Card>
  )
}

function Counts({ overview: { people, organizations, apps, counted_at } }: { overview: Overview }) {
  const { t, format } = useI18n()
  const figure = (value: number | null | undefined) => (value == null ? '–' : format.number(value))
  return (
    <Card>
      <CardBody>
        <dl className="flex flex-wrap gap-x-10 gap-y-4">
          <Figure label={t('system.people')} value={figure(people?.all)} />
          <Figure label={t('system.people.new')} value={figure(people?.new)} />
          <Figure label={t('system.people.active')} value={figure(people?.active)} />
          <Figure label={t('system.organizations')} value={figure(organizations)} />
          <Figure label={t('system.apps')} value={figure(apps)} />
        </dl>
        <p className="mt-3 text-small text-muted">
          {counted_at ? (
            <>
              {t('system.counted')} <Time at={counted_at} {...formatTime(counted_at, format)} />
            </>
          ) : (
            t('system.counting')
          )}
        </p>
      </CardBody>
    </Card>
  )
}

function Figure({ label, value }: { label: string; value: ReactNode }) {
  return (
    <div>
      <dt className="text-muted">{label}</dt>
      <dd className="text-head">{value}</dd>
    </div>
  )
}

const MIB = 1024 * 1024

function Facts({ overview: { mails, jobs, keys, database, disk, version } }: { overview: Overview }) {
  const { t, format } = useI18n()
  const queue = ({ waiting, failed }: Overview['mails']) => t('system.queue', { waiting, failed })
  const size = (bytes: number) =>
    bytes < 1024 * MIB
      ? `${format.number(Math.ceil(bytes / MIB))} MiB`
      : `${format.number(Math.round(bytes / MIB / 102.4) / 10)} GiB`
  const since = keys.map((key) => key.since).sort()[0]
  return (
    <Card>
      <CardHead title={t('system.facts')} />
      <Rows label={t('system.facts')}>
        <Row key="mails" label={t('system.mails')} value={queue(mails)} href={paths.adminSystem} />
        <Row key="jobs" label={t('system.jobs')} value={queue(jobs)} />
        <Row
          key="keys"
          long
          label={t('system.keys')}
          value={since && t('system.keys.since', { date: format.date(parseServerTime(since)) })}
          href={paths.adminSystem}
        />
        <Row key="database" label={t('system.database')} text={database.version} value={size(database.bytes)} />
        <Row
          key="disk"
          long
          label={t('system.disk')}
          value={
            disk
              ? t('system.disk.free', { free: size(disk.free_bytes), total: size(disk.total_bytes) })
              : t('system.disk.silent')
          }
        />
        <Row key="version" label={t('system.version')} value={version} />
      </Rows>
    </Card>
  )
}
