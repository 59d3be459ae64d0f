import { useInfiniteQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import type { DeveloperActivity } from '@vrata/contract/developers'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { localDay, serverTime } from '../../lib/time.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Picture } from '../../ui/picture.tsx'
import { Row, Rows } from '../../ui/row.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { type ActivityFilter, activityPages, filterOf } from './data.ts'
import { useDetails, useSentence } from './did.ts'
import { Filters } from './filters.tsx'

/** Who changed what, day by day. Nobody can take a line back. */
export function OrganizationActivityPage() {
  const { t } = useI18n()
  const router = useRouter()
  const { developer_id } = useUser()
  const filter = filterOf(useSearch({ strict: false }))
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } =
    useInfiniteQuery(activityPages(useWires(), filter))
  const rows = data?.pages.flatMap((page) => page.rows)
  const narrowed = Object.keys(filter).length > 0

  function narrow(next: ActivityFilter) {
    const query = new URLSearchParams(next).toString()
    const path = paths.organizationActivity(developer_id ?? '')
    void router.navigate({ href: query ? `${path}?${query}` : path, replace: true })
  }

  return (
    <div className="space-y-6">
      <Filters filter={filter} rows={rows ?? []} onChange={narrow} />
      {rows?.length ? (
        byDay(rows).map(([date, did]) => <DayCard key={date} date={date} did={did} />)
      ) : (
        <Card>
          {rows ? (
            <EmptyState
              text={t(narrowed ? 'organization.activity.none' : 'organization.activity.empty')}
              action={narrowed && <Button onClick={() => narrow({})}>{t('organization.filter.clear')}</Button>}
            />
          ) : error ? (
            <ErrorState
              title={t('organization.activity.failed')}
              text={t('organization.failed_text')}
              onRetry={() => void refetch()}
            />
          ) : (
            <SkeletonRows rows={6} label={t('organization.loading')} />
          )}
        </Card>
      )}
      {isFetchNextPageError && (
        <p role="alert" className="text-danger">
          {t('organization.activity.failed')}
        </p>
      )}
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('organization.activity.more')}
        </Button>
      )}
    </div>
  )
}

/** By the day on which the reader lived through it, newest first. */
function byDay(rows: readonly DeveloperActivity[]): [date: string, did: DeveloperActivity[]][] {
  const days = new Map<string, DeveloperActivity[]>()
  for (const row of rows) {
    const date = localDay(serverTime(row.created_at))
    days.set(date, [...(days.get(date) ?? []), row])
  }
  return [...days]
}

function DayCard({ date, did }: { date: string; did: readonly DeveloperActivity[] }) {
  const { format } = useI18n()
  const name = format.date(date, 'full')
  return (
    <section aria-label={name}>
      <h2 className="mb-2 text-title first-letter:uppercase">{name}</h2>
      <Card>
        <Rows>
          {did.map((row) => (
            <DidRow key={row.id} row={row} />
          ))}
        </Rows>
      </Card>
    </section>
  )
}

function DidRow({ row }: { row: DeveloperActivity }) {
  const { t, format } = useI18n()
  const sentence = useSentence()
  const details = useDetails()
  const at = serverTime(row.created_at)
  const who = row.user?.name ?? t('organization.activity.gone')
  const more = details(row)
  return (
    <Row
      picture={<Picture kind="user" url={row.user?.profile_picture} name={row.user?.name ?? ''} />}
      label={sentence(row)}
      text={
        <>
          <span className="block">{who}</span>
          {more && <span className="block break-words">{more}</span>}
        </>
      }
      value={
        <time dateTime={at.toISOString()} title={format.moment(at)}>
          {format.time(at)}
        </time>
      }
    />
  )
}
