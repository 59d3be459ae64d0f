import { useInfiniteQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { filterOf, type UserFilter, userPages } from './data.ts'
import { ExportButton } from './export-button.tsx'
import { Filters } from './filters.tsx'
import { UserRow } from './user-row.tsx'

/** Everybody who is connected to the organisation's apps: find them, see what they allowed, block them. */
export function UsersPage() {
  const { t } = useI18n()
  const router = useRouter()
  const { developer_id } = useUser()
  const filter = filterOf(useSearch({ strict: false }))
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    userPages(useWires(), filter),
  )
  const people = data?.pages.flatMap((page) => page.users)
  const narrowed = Object.keys(filter).length > 0

  function narrow(next: UserFilter) {
    const search = new URLSearchParams(next)
    void router.navigate({ href: `${paths.users(developer_id ?? '')}?${search}`.replace(/\?$/, ''), replace: true })
  }

  return (
    <div className="max-w-240 space-y-6">
      <PageHead
        title={t('ui.title.users')}
        text={t('users.text')}
        action={people?.length ? <ExportButton filter={filter} /> : null}
      />
      {(narrowed || (people && people.length > 0)) && <Filters filter={filter} onChange={narrow} />}
      <Card>
        {people?.length ? (
          <ul aria-label={t('ui.title.users')} className="divide-y divide-line">
            {people.map((user) => (
              <li key={user.id}>
                <UserRow user={user} onChanged={() => void refetch()} />
              </li>
            ))}
          </ul>
        ) : people ? (
          <EmptyState
            title={t(narrowed ? 'users.none' : 'users.empty')}
            text={t(narrowed ? 'users.none_text' : 'users.empty_text')}
            action={narrowed && <Button onClick={() => narrow({})}>{t('users.clear')}</Button>}
          />
        ) : error ? (
          <ErrorState title={t('users.failed')} text={t('users.failed_text')} onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows rows={6} label={t('users.loading')} />
        )}
      </Card>
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('users.more')}
        </Button>
      )}
    </div>
  )
}
