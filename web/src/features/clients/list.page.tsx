import { useInfiniteQuery } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
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
import { PlusIcon } from '../../ui/icons.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { clientList } from './data.ts'
import { RegisterSheet } from './register-sheet.tsx'

/** The apps of the developer account, and the way to one more. */
export function ListPage() {
  const { t } = useI18n()
  const user = useUser()
  const mayRegister = can(user, clients.createClient)
  const [registering, setRegistering] = useState(false)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    clientList(useWires()),
  )
  const apps = data?.pages.flatMap((page) => page.apps)
  const register = mayRegister ? (
    <Button look="primary" onClick={() => setRegistering(true)}>
      <PlusIcon />
      {t('clients.register.do')}
    </Button>
  ) : null

  return (
    <div className="max-w-240 space-y-6">
      <PageHead title={t('clients.title')} text={t('clients.text')} action={apps?.length ? register : null} />
      {apps ? (
        apps.length ? (
          <ul className="grid gap-3 xl:grid-cols-2">
            {apps.map((app) => (
              <li key={app.client_id} className="min-w-0">
                <ClientTile app={app} />
              </li>
            ))}
          </ul>
        ) : (
          <Card>
            <EmptyState
              title={t('clients.empty.title')}
              text={
                mayRegister
                  ? t('clients.empty.text')
                  : t('clients.empty.level', { level: t(`ui.level.${clients.createClient.needs}`) })
              }
              action={register}
            />
          </Card>
        )
      ) : (
        <Card>
          {error ? (
            <ErrorState title={t('clients.failed')} text={t('clients.failed_text')} onRetry={() => void refetch()} />
          ) : (
            <SkeletonRows label={t('clients.loading')} />
          )}
        </Card>
      )}
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('clients.more')}
        </Button>
      )}
      {mayRegister && <RegisterSheet open={registering} onClose={() => setRegistering(false)} />}
    </div>
  )
}

function ClientTile({ app }: { app: ClientInfo }) {
  const { t } = useI18n()
  const { developer_id } = useUser()
  return (
    <AppTile
      app={app}
      line={t(`clients.kind.${app.type}`)}
      badge={<Badge look={app.enabled ? 'on' : 'off'}>{t(app.enabled ? 'clients.enabled' : 'clients.disabled')}</Badge>}
      href={paths.client(developer_id ?? '', app.client_id)}
    />
  )
}
