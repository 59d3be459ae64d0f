import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { requestIdOf } from '../../lib/api/call-query.ts'
import { MoreButton } from '../../lib/api/more-button.tsx'
import { useAppContext } from '../../lib/app-context.tsx'
import { parseServerTime } from '../../lib/format/time.ts'
import { useDayName } from '../../lib/format/use-day-name.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useAddressFilter } from '../../lib/list-filter/use-address-filter.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { activityIcon } from '../../ui/icons/activity-icon.ts'
import { Picture } from '../../ui/identity/picture.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { ActivityFilters } from './activity-filters.tsx'
import { deviceText } from './device-text.ts'
import { EntrySheet } from './entry-sheet.tsx'
import { activityPages, filterOf } from './queries.ts'
import { type Day, type Entry, timeline } from './timeline.ts'
import { useActivityText } from './use-activity-text.ts'

/** Activity of the account by day, with details and a way to report each entry. */
export function ActivityPage() {
  const { t, format } = useI18n()
  const [given, set, clear] = useAddressFilter(['type', 'client_id', 'session_id'])
  const filter = filterOf(given)
  const list = useInfiniteQuery(activityPages(useAppContext(), filter))
  const { data, error, refetch } = list
  const [opened, setOpened] = useState<Entry>()
  const [open, setOpen] = useState(false)
  const rows = data?.pages.flatMap((page) => page.rows)
  const filtered = Object.keys(filter).length > 0

  return (
    <>
      <ActivityFilters filter={filter} rows={rows ?? []} set={set} />
      {rows?.length ? (
        timeline(rows, format).map((day) => (
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
              text={t(filtered ? 'privacy.activity.none' : 'privacy.activity.empty')}
              action={filtered && <Button onClick={clear}>{t('privacy.filter.clear')}</Button>}
            />
          ) : error ? (
            <ErrorState
              title={t('privacy.activity.failed')}
              text={t('privacy.failed_text')}
              onRetry={() => void refetch()}
              code={requestIdOf(error)}
            />
          ) : (
            <SkeletonRows rows={6} label={t('privacy.loading')} />
          )}
        </Card>
      )}
      <MoreButton list={list} />
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
            <EntryRow key={entry.key} entry={entry} onOpen={() => onOpen(entry)} />
          ))}
        </Rows>
      </Card>
    </section>
  )
}

function EntryRow({ entry, onOpen }: { entry: Entry; onOpen: () => void }) {
  const { format } = useI18n()
  const sentence = useActivityText()
  const { newest } = entry
  const app = newest.acting_app ?? newest.app
  const at = parseServerTime(newest.created_at)
  return (
    <Row
      icon={activityIcon(newest.type, newest.os)}
      picture={app && <Picture kind="app" url={app.icon} name={app.name} size={24} className="-mx-0.5" />}
      label={sentence(entry)}
      text={deviceText(newest) || undefined}
      value={
        <time dateTime={at.toISOString()} title={format.dateTime(at)}>
          {format.time(at)}
        </time>
      }
      onClick={onOpen}
    />
  )
}
