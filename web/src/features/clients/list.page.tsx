import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { ListedClient } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { can, useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { AppTile } from '../../ui/app-tile.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PlusIcon } from '../../ui/inner-icons.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { clientList } from './data.ts'
import { RegisterSheet } from './register-sheet.tsx'
import { StatisticsCard } from './statistics-card.tsx'

/** Up to so many apps are seen at a glance and need no search. */
const AT_A_GLANCE = 6

/** The apps of the developer account, and the way to one more. */
export function ListPage() {
  const { t } = useI18n()
  const wires = useWires()
  const mayRegister = can(useUser(), clients.createClient)
  const [registering, setRegistering] = useState(false)
  const [query, setQuery] = useState('')
  const all = useInfiniteQuery(clientList(wires))
  const list = useInfiniteQuery({ ...clientList(wires, query), placeholderData: keepPreviousData })
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
      {(known > AT_A_GLANCE || query) && <SearchField label={t('clients.search')} onSearch={setQuery} />}
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
            />
          ) : !apps ? (
            <SkeletonRows label={t('clients.loading')} />
          ) : query ? (
            <EmptyState title={t('ui.nothing_found')} text={t('clients.search.none')} />
          ) : (
            <EmptyState
              title={t('clients.empty.title')}
              text={
                mayRegister
                  ? t('clients.empty.text')
                  : t('clients.empty.level', { level: t(`ui.level.${clients.createClient.needs}`) })
              }
              action={register}
            />
          )}
        </Card>
      )}
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('clients.more')}
        </Button>
      )}
      {apps?.length ? <StatisticsCard /> : null}
      {mayRegister && <RegisterSheet open={registering} onClose={() => setRegistering(false)} />}
    </div>
  )
}

function ClientTile({ app }: { app: ListedClient }) {
  const { t } = useI18n()
  const { developer_id } = useUser()
  const kind = t(`clients.kind.${app.type}`)
  // A service signs nobody in.
  const counted = app.week_sign_ins !== null && app.type !== 'service'
  return (
    <AppTile
      app={app}
      line={counted ? `${kind} · ${t('clients.week_sign_ins', { count: app.week_sign_ins ?? 0 })}` : kind}
      badge={<Badge look={app.enabled ? 'on' : 'off'}>{t(app.enabled ? 'clients.enabled' : 'clients.disabled')}</Badge>}
      href={paths.client(developer_id ?? '', app.client_id)}
    />
  )
}
