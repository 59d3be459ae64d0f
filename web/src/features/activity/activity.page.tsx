import { useInfiniteQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { serverTime } from '../../lib/time.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { activityIcon } from '../../ui/activity-icons.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Picture } from '../../ui/picture.tsx'
import { Row, Rows } from '../../ui/row.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { type ActivityFilter, activityPages, filterOf } from './data.ts'
import { deviceOf } from './device.ts'
import { EntrySheet } from './entry-sheet.tsx'
import { Filters } from './filters.tsx'
import { type Day, type Entry, timeline } from './timeline.ts'
import { useDayName, useSentence } from './words.ts'

/** What happened with the account, day by day; every line opens what is known about it, and can be objected to. */
export function ActivityPage() {
  const { t } = useI18n()
  const router = useRouter()
  const filter = filterOf(useSearch({ strict: false }))
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isFetchNextPageError } =
    useInfiniteQuery(activityPages(useWires(), filter))
  const [opened, setOpened] = useState<Entry>()
  const [open, setOpen] = useState(false)
  const rows = data?.pages.flatMap((page) => page.rows)
  const narrowed = Object.keys(filter).length > 0

  function narrow(next: ActivityFilter) {
    void router.navigate({ href: `${paths.activity}?${new URLSearchParams(next)}`.replace(/\?$/, ''), replace: true })
  }

  return (
    <>
      <Filters filter={filter} rows={rows ?? []} onChange={narrow} />
      {rows?.length ? (
        timeline(rows).map((day) => (
          <DayCard
            key={day.date}
            day={day}
            onOpen={(entry) => {
              setOpened(entry)
              setOpen(true)
            }}
          />
        ))
      ) : (
        <Card>
          {rows ? (
            <EmptyState
              text={t(narrowed ? 'privacy.activity.none' : 'privacy.activity.empty')}
              action={narrowed && <Button onClick={() => narrow({})}>{t('privacy.filter.clear')}</Button>}
            />
          ) : error ? (
            <ErrorState
              title={t('privacy.activity.failed')}
              text={t('privacy.failed_text')}
              onRetry={() => void refetch()}
            />
          ) : (
            <SkeletonRows rows={6} label={t('privacy.loading')} />
          )}
        </Card>
      )}
      {isFetchNextPageError && (
        <p role="alert" className="text-danger">
          {t('privacy.activity.failed')}
        </p>
      )}
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('privacy.activity.more')}
        </Button>
      )}
      <EntrySheet entry={opened} open={open} onClose={() => setOpen(false)} />
    </>
  )
}

function DayCard({ day, onOpen }: { day: Day; onOpen: (entry: Entry) => void }) {
  const name = useDayName()(day.date)
  return (
    <section aria-label={name}>
      <h2 className="mb-2 text-title first-letter:uppercase">{name}</h2>
      <Card>
        <Rows>
          {day.entries.map((entry) => (
            <EntryRow key={entry.newest.id} entry={entry} onOpen={() => onOpen(entry)} />
          ))}
        </Rows>
      </Card>
    </section>
  )
}

function EntryRow({ entry, onOpen }: { entry: Entry; onOpen: () => void }) {
  const { format } = useI18n()
  const sentence = useSentence()
  const { newest } = entry
  const at = serverTime(newest.created_at)
  return (
    <Row
      icon={activityIcon(newest.type, newest.os)}
      picture={
        newest.app && <Picture kind="app" url={newest.app.icon} name={newest.app.name} size={24} className="-mx-0.5" />
      }
      label={sentence(entry)}
      text={deviceOf(newest) || undefined}
      value={
        <time dateTime={at.toISOString()} title={format.moment(at)}>
          {format.time(at)}
        </time>
      }
      onClick={onOpen}
    />
  )
}
