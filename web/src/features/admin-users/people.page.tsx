import { useInfiniteQuery } from '@tanstack/react-query'
import { paths } from '@vrata/contract/page-addresses'
import { requestIdOf } from '../../lib/api/call-query.ts'
import { MoreButton } from '../../lib/api/more-button.tsx'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { useAddressFilter } from '../../lib/list-filter/use-address-filter.ts'
import { Button } from '../../ui/button.tsx'
import { EmailAddress } from '../../ui/content/email-address.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { accountName } from '../../ui/identity/account-card.tsx'
import { Picture } from '../../ui/identity/picture.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { AddPersonButton } from './add-person.tsx'
import { PeopleFilters } from './people-filters.tsx'
import { filterOf, peoplePages } from './people-queries.ts'
import { StatusBadge } from './status-badge.tsx'

/** Everyone who has an account in the installation. The address has the filter. */
export function PeoplePage() {
  const { t } = useI18n()
  const [given, set, clear] = useAddressFilter(['query', 'status', 'group'])
  const filter = filterOf(given)
  const list = useInfiniteQuery(peoplePages(useAppContext(), filter))
  const { data, error, refetch } = list
  const people = data?.pages.flatMap((page) => page.people)

  return (
    <div className="space-y-6">
      <PageHead title={t('admin-users.title')} text={t('admin-users.text')} action={<AddPersonButton />} />
      <PeopleFilters filter={filter} set={set} />
      <Card>
        {people?.length ? (
          <Rows label={t('admin-users.title')}>
            {people.map((person) => (
              <Row
                key={person.id}
                picture={<Picture kind="user" url={person.profile_picture} name={accountName(person)} size={40} />}
                label={accountName(person)}
                text={accountName(person) === person.email ? undefined : <EmailAddress>{person.email}</EmailAddress>}
                // Most people are active: the others stand out, and long addresses have room on a phone.
                {...(person.status === 'active' ? {} : { value: <StatusBadge status={person.status} />, long: true })}
                href={paths.adminPerson(person.id)}
              />
            ))}
          </Rows>
        ) : people ? (
          <EmptyState
            title={t('admin-users.none')}
            text={t('admin-users.none_text')}
            action={<Button onClick={clear}>{t('admin-users.clear')}</Button>}
          />
        ) : error ? (
          <ErrorState
            title={t('admin-users.failed')}
            text={t('admin-users.failed_text')}
            onRetry={() => void refetch()}
            code={requestIdOf(error)}
          />
        ) : (
          <SkeletonRows rows={6} label={t('admin-users.loading')} />
        )}
      </Card>
      <MoreButton list={list} />
    </div>
  )
}
