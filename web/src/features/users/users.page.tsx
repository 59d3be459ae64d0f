import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { requestIdOf } from '../../lib/api/call-query.ts'
import { MoreButton } from '../../lib/api/more-button.tsx'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { useAddressFilter } from '../../lib/list-filter/use-address-filter.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { ExportUsersButton } from './export-users-button.tsx'
import { filterOf, type UserFilter, userCount, userPages, viewOf } from './queries.ts'
import { UserFilters } from './user-filters.tsx'
import { UserSheet } from './user-sheet.tsx'
import { UsersTable } from './users-table.tsx'

/** Users of the organization's apps. The query has the filter, the order and the user whose details are open. */
export function UsersPage() {
  const { t } = useI18n()
  const [given, set, clear] = useAddressFilter(['query', 'client_id', 'blocked', 'sort', 'user'])
  const view = viewOf(given)
  const filter = filterOf(view)
  const list = useInfiniteQuery(userPages(useAppContext(), view))
  const { data, error, refetch } = list
  const people = data?.pages.flatMap((page) => page.users)
  const filtered = Object.keys(filter).length > 0

  return (
    <div className="max-w-240 space-y-6">
      <PageHead
        title={t('menu.title.users')}
        text={t('users.text')}
        action={people?.length ? <ExportUsersButton filter={filter} /> : null}
      />
      {/* They stay while a list in another order loads. */}
      {(filtered || people?.length !== 0) && <UserFilters view={view} set={set} />}
      {people && (filtered || people.length > 0) && <Count filter={filter} />}
      <Card className="@container">
        {people?.length ? (
          <UsersTable people={people} onOpen={(user) => set({ user }, 'push')} />
        ) : people ? (
          <EmptyState
            title={t(filtered ? 'users.none' : 'users.empty')}
            text={t(filtered ? 'users.none_text' : 'users.empty_text')}
            action={filtered && <Button onClick={clear}>{t('users.clear')}</Button>}
          />
        ) : error ? (
          <ErrorState
            title={t('users.failed')}
            text={t('users.failed_text')}
            onRetry={() => void refetch()}
            code={requestIdOf(error)}
          />
        ) : (
          <SkeletonRows rows={6} label={t('users.loading')} />
        )}
      </Card>
      <MoreButton list={list} />
      <OpenUser id={given.user} onClose={() => set({ user: '' })} />
    </div>
  )
}

function Count({ filter }: { filter: UserFilter }) {
  const { t } = useI18n()
  const { data } = useQuery(userCount(useAppContext(), filter))
  return (
    <p role="status" className="min-h-5.5 text-muted">
      {data && t(data.more ? 'users.count_more' : 'users.count', { count: data.count })}
    </p>
  )
}

/** The user stays visible while the sheet closes. */
function OpenUser({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const [last, setLast] = useState(id)
  if (id !== undefined && id !== last) setLast(id)
  return last === undefined ? null : <UserSheet key={last} id={last} open={id !== undefined} onClose={onClose} />
}
