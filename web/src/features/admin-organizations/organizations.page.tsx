import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { ORGANIZATION_STATUSES } from '@vrata/contract/admin-organizations'
import { paths } from '@vrata/contract/page-addresses'
import { requestIdOf } from '../../lib/api/call-query.ts'
import { MoreButton } from '../../lib/api/more-button.tsx'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { useAddressFilter } from '../../lib/list-filter/use-address-filter.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { FilterSelect } from '../../ui/form/filter-select.tsx'
import { SearchField } from '../../ui/form/search-field.tsx'
import { Picture } from '../../ui/identity/picture.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { OrganizationMarks } from './organization-marks.tsx'
import { organizationPages } from './organization-queries.ts'

/** All organizations of the installation. The address has the filter. */
export function OrganizationsPage() {
  const { t } = useI18n()
  const [{ query, status: asked }, set] = useAddressFilter(['query', 'status'])
  const status = ORGANIZATION_STATUSES.find((one) => one === asked)
  const filter = { ...(query && { query }), ...(status && { status }) }
  const list = useInfiniteQuery({
    ...organizationPages(useAppContext(), filter),
    placeholderData: keepPreviousData,
  })
  const { data, error, refetch } = list
  const found = data?.pages.flatMap((page) => page.organizations)
  return (
    <div className="space-y-6">
      <PageHead title={t('admin-organizations.title')} text={t('admin-organizations.text')} />
      <div className="grid items-end gap-3 sm:grid-cols-[2fr_1fr]">
        <SearchField label={t('admin-organizations.search')} text={query} onSearch={(text) => set({ query: text })} />
        <FilterSelect
          label={t('admin-organizations.state')}
          all={t('admin-organizations.state.all')}
          value={status}
          options={ORGANIZATION_STATUSES.map((one) => [one, t(`admin-organizations.state.${one}`)])}
          onChoose={(chosen) => set({ status: chosen })}
        />
      </div>
      <Card>
        {found?.length ? (
          <Rows label={t('admin-organizations.title')}>
            {found.map((one) => (
              <Row
                key={one.id}
                picture={<Picture kind="developer" url={one.logo} name={one.name} size={40} />}
                label={one.name}
                text={t('admin-organizations.counts', { members: one.members, clients: one.clients })}
                value={<OrganizationMarks organization={one} />}
                long
                href={paths.adminOrganization(one.id)}
              />
            ))}
          </Rows>
        ) : found ? (
          <EmptyState text={t(query || status ? 'ui.nothing_found' : 'admin-organizations.none')} />
        ) : error ? (
          <ErrorState
            title={t('admin-organizations.failed')}
            text={t('admin-organizations.failed_text')}
            onRetry={() => void refetch()}
            code={requestIdOf(error)}
          />
        ) : (
          <SkeletonRows rows={6} label={t('admin-organizations.loading')} />
        )}
      </Card>
      <MoreButton list={list} />
    </div>
  )
}
