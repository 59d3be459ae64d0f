import { useInfiniteQuery } from '@tanstack/react-query'
import type { DeveloperActivity } from '@vrata/contract/developers'
import type { Formats } from '@vrata/phrases/format'
import { requestIdOf } from '../../../lib/api/call-query.ts'
import { MoreButton } from '../../../lib/api/more-button.tsx'
import { useAppContext } from '../../../lib/app-context.tsx'
import { parseServerTime } from '../../../lib/format/time.ts'
import { useDayName } from '../../../lib/format/use-day-name.ts'
import { useI18n } from '../../../lib/i18n.tsx'
import { useAddressFilter } from '../../../lib/list-filter/use-address-filter.ts'
import { Button } from '../../../ui/button.tsx'
import { EmailAddress } from '../../../ui/content/email-address.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx'
import { Picture } from '../../../ui/identity/picture.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { Row, Rows } from '../../../ui/layout/row.tsx'
import { developerActivityPages, filterOf } from '../queries.ts'
import { DeveloperActivityFilters } from './developer-activity-filters.tsx'
import { useDeveloperActivityDetails, useDeveloperActivityText } from './use-developer-activity-text.ts'

/** Activity of the organization by day. */
export function DeveloperActivityPage() {
  const { t, format } = useI18n()
  const [given, set, clear] = useAddressFilter(['type', 'user_id'])
  const filter = filterOf(given)
  const list = useInfiniteQuery(developerActivityPages(useAppContext(), filter))
  const { data, error, refetch } = list
  const rows = data?.pages.flatMap((page) => page.rows)
  const filtered = Object.keys(filter).length > 0

  return (
    <div className="space-y-6">
      <DeveloperActivityFilters filter={filter} rows={rows ?? []} set={set} />
      {rows?.length ? (
        byDay(rows, format).map(([date, did]) => <DayCard key={date} date={date} did={did} />)
      ) : (
        <Card>
          {rows ? (
            <EmptyState
              text={t(filtered ? 'organization.activity.none' : 'organization.activity.empty')}
              action={filtered && <Button onClick={clear}>{t('organization.filter.clear')}</Button>}
            />
          ) : error ? (
            <ErrorState
              title={t('organization.activity.failed')}
              text={t('organization.failed_text')}
              onRetry={() => void refetch()}
              code={requestIdOf(error)}
            />
          ) : (
            <SkeletonRows rows={6} label={t('organization.loading')} />
          )}
        </Card>
      )}
      <MoreButton list={list} />
    </div>
  )
}

/** Groups by local day, newest first. */
function byDay(
  rows: readonly DeveloperActivity[],
  format: Pick<Formats, 'day'>,
): [date: string, did: DeveloperActivity[]][] {
  const days = new Map<string, DeveloperActivity[]>()
  for (const row of rows) {
    const date = format.day(parseServerTime(row.created_at))
    days.set(date, [...(days.get(date) ?? []), row])
  }
  return [...days]
}

function DayCard({ date, did }: { date: string; did: readonly DeveloperActivity[] }) {
  const name = useDayName()(date)
  return (
    <section aria-label={name}>
      <h2 className="mb-2 text-title first-letter:uppercase">{name}</h2>
      <Card>
        <Rows>
          {did.map((row) => (
            <ActivityRow key={row.id} row={row} />
          ))}
        </Rows>
      </Card>
    </section>
  )
}

function ActivityRow({ row }: { row: DeveloperActivity }) {
  const { t, format } = useI18n()
  const sentence = useDeveloperActivityText()
  const details = useDeveloperActivityDetails()
  const at = parseServerTime(row.created_at)
  const who = row.user?.name ?? t('organization.activity.gone')
  const more = details(row)
  return (
    <Row
      picture={<Picture kind="user" url={row.user?.profile_picture} name={row.user?.name ?? ''} />}
      label={<EmailAddress>{sentence(row)}</EmailAddress>}
      text={
        <>
          <span className="block">{who}</span>
          {more && <span className="block">{more}</span>}
        </>
      }
      value={
        <time dateTime={at.toISOString()} title={format.dateTime(at)}>
          {format.time(at)}
        </time>
      }
    />
  )
}
