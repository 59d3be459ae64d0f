import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { CLIENT_STATUSES } from '@vrata/contract/admin-clients'
import { requestIdOf } from '../../lib/api/call-query.ts'
import { MoreButton } from '../../lib/api/more-button.tsx'
import { useAppContext } from '../../lib/app-context.tsx'
import { ClientMarks } from '../../lib/clients/client-marks.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { useAddressFilter } from '../../lib/list-filter/use-address-filter.ts'
import { useUser } from '../../lib/session.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { FilterSelect } from '../../ui/form/filter-select.tsx'
import { SearchField } from '../../ui/form/search-field.tsx'
import { Picture } from '../../ui/identity/picture.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { useChangeClient } from './change-client.tsx'
import { clientPages } from './client-queries.ts'

/** All registered apps of the installation. Administrators decide which work, are verified and are trusted. The address has the filter. */
export function AppsPage() {
  const { t } = useI18n()
  const [{ query, status: asked }, set] = useAddressFilter(['query', 'status'])
  const status = CLIENT_STATUSES.find((one) => one === asked)
  const mayChange = useUser().operator_role === 'admin'
  const change = useChangeClient()
  const filter = { ...(query && { query }), ...(status && { status }) }
  const list = useInfiniteQuery({
    ...clientPages(useAppContext(), filter),
    placeholderData: keepPreviousData,
  })
  const { data, error, refetch } = list
  const found = data?.pages.flatMap((page) => page.clients)
  return (
    <div className="space-y-6">
      <PageHead title={t('admin-clients.title')} text={t('admin-clients.text')} />
      <div className="grid items-end gap-3 sm:grid-cols-[2fr_1fr]">
        <SearchField label={t('admin-clients.search')} text={query} onSearch={(text) => set({ query: text })} />
        <FilterSelect
          label={t('admin-clients.state')}
          all={t('admin-clients.state.all')}
          value={status}
          options={CLIENT_STATUSES.map((one) => [one, t(`admin-clients.state.${one}`)])}
          onChoose={(chosen) => set({ status: chosen })}
        />
      </div>
      <Card>
        {found?.length ? (
          <Rows label={t('admin-clients.title')}>
            {found.map((app) => (
              <Row
                key={app.client_id}
                picture={<Picture kind="app" url={app.icon} name={app.name} size={40} />}
                label={app.name}
                text={`${app.organization.name} · ${app.client_id}`}
                value={<ClientMarks app={app} />}
                long
                {...(mayChange ? { onClick: () => void change(app) } : {})}
              />
            ))}
          </Rows>
        ) : found ? (
          <EmptyState text={t(query || status ? 'ui.nothing_found' : 'admin-clients.none')} />
        ) : error ? (
          <ErrorState
            title={t('admin-clients.failed')}
            text={t('admin-clients.failed_text')}
            onRetry={() => void refetch()}
            code={requestIdOf(error)}
          />
        ) : (
          <SkeletonRows rows={6} label={t('admin-clients.loading')} />
        )}
      </Card>
      <MoreButton list={list} />
    </div>
  )
}
