import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { ListedClient } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { paths } from '@vrata/contract/page-addresses'
import { useState } from 'react'
import { requestIdOf } from '../../../lib/api/call-query.ts'
import { MoreButton } from '../../../lib/api/more-button.tsx'
import { useAppContext } from '../../../lib/app-context.tsx'
import { ClientStateBadge } from '../../../lib/clients/client-state-badge.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { useAddressFilter } from '../../../lib/list-filter/use-address-filter.ts'
import { can, currentDeveloper } from '../../../lib/organizations/allowed-calls.ts'
import { useUser } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx'
import { PlusIcon } from '../../../ui/icons/signed-in-icons.tsx'
import { AppTile } from '../../../ui/identity/app-tile.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { PageHead } from '../../../ui/layout/page-head.tsx'
import { StatisticsCard } from '../../statistics/public.ts'
import { clientList, viewOf } from '../queries.ts'
import { ClientFilters } from './client-filters.tsx'
import { RegisterClientSheet } from './register-client-sheet.tsx'

/** A search field appears above this number of apps. */
const SEARCH_FROM = 6

/** Apps of the developer account. The address has the filter and the order. */
export function ClientListPage() {
  const { t } = useI18n()
  const context = useAppContext()
  const user = useUser()
  const mayRegister = can(user, clients.createClient)
  const waits = currentDeveloper(user)?.approval != null
  const [registering, setRegistering] = useState(false)
  const [given, set] = useAddressFilter(['query', 'enabled', 'sort'])
  const view = viewOf(given)
  const all = useInfiniteQuery(clientList(context))
  const list = useInfiniteQuery({ ...clientList(context, view), placeholderData: keepPreviousData })
  const filtered = Object.keys(view).some((name) => name !== 'sort')
  const known = all.data?.pages.flatMap((page) => page.apps).length ?? 0
  const apps = list.data?.pages.flatMap((page) => page.apps)
  const register = mayRegister ? (
    <Button look="primary" onClick={() => setRegistering(true)}>
      <PlusIcon />
      {t('clients.register.do')}
    </Button>
  ) : null

  return (
    <div className="max-w-240 space-y-6">
      <PageHead title={t('clients.title')} text={t('clients.text')} action={known ? register : null} />
      {(known > SEARCH_FROM || filtered) && <ClientFilters view={view} set={set} />}
      {(known > SEARCH_FROM || filtered) && apps && (
        <p role="status" className="text-muted">
          {t(list.hasNextPage ? 'clients.count_more' : 'clients.count', { count: apps.length })}
        </p>
      )}
      {apps?.length ? (
        <ul className="grid gap-3 xl:grid-cols-2">
          {apps.map((app) => (
            <li key={app.client_id} className="min-w-0">
              <ClientTile app={app} />
            </li>
          ))}
        </ul>
      ) : (
        <Card>
          {list.error ? (
            <ErrorState
              title={t('clients.failed')}
              text={t('clients.failed_text')}
              onRetry={() => void list.refetch()}
              code={requestIdOf(list.error)}
            />
          ) : !apps ? (
            <SkeletonRows label={t('clients.loading')} />
          ) : filtered ? (
            <EmptyState title={t('ui.nothing_found')} text={t('clients.search.none')} />
          ) : (
            <EmptyState
              title={t('clients.empty.title')}
              text={
                mayRegister || waits
                  ? t('clients.empty.text')
                  : t('clients.empty.level', { level: t(`menu.level.${clients.createClient.needs}`) })
              }
              action={register}
            />
          )}
        </Card>
      )}
      <MoreButton list={list} />
      {apps?.length ? <StatisticsCard /> : null}
      {mayRegister && <RegisterClientSheet open={registering} onClose={() => setRegistering(false)} />}
    </div>
  )
}

function ClientTile({ app }: { app: ListedClient }) {
  const { t } = useI18n()
  const { developer_id } = useUser()
  const kind = t(`clients.kind.${app.type}`)
  // A service has no sign-ins.
  const counted = app.week_sign_ins !== null && app.type !== 'service'
  return (
    <AppTile
      app={app}
      line={counted ? `${kind} · ${t('clients.week_sign_ins', { count: app.week_sign_ins ?? 0 })}` : kind}
      badge={<ClientStateBadge app={app} />}
      href={paths.client(developer_id ?? '', app.client_id)}
    />
  )
}
