import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useParams } from '@tanstack/react-router'
import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useCallback, useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { can, useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { type ClientTab, paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DoorAjar, ErrorState } from '../../ui/error-state.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Picture } from '../../ui/picture.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { clientInfo, isMissing } from './data.ts'
import { type Saving, SavingContext } from './saving.ts'

const TABS = [
  { tab: 'details', label: 'clients.tab.details' },
  { tab: 'development', label: 'clients.tab.development' },
  { tab: 'quick-start', label: 'clients.tab.quick_start' },
  { tab: 'scopes', label: 'clients.tab.scopes' },
] as const satisfies { tab: ClientTab; label: string }[]

/** Around every page of one app: its name, whether it is enabled, and the tabs. */
export function ClientLayout() {
  const { t } = useI18n()
  const { clientId = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(clientInfo(useWires(), clientId))
  if (data) return <Client key={clientId} app={data} />
  if (isMissing(error)) return <Missing />
  return (
    <Card className="max-w-240">
      {error ? (
        <ErrorState
          heading="h1"
          title={t('clients.failed_one')}
          text={t('clients.failed_text')}
          onRetry={() => void refetch()}
        />
      ) : (
        <SkeletonRows label={t('clients.loading')} />
      )}
    </Card>
  )
}

function Client({ app }: { app: ClientInfo }) {
  const { t } = useI18n()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const { developer_id } = useUser()
  // What one tab failed to save is gone with it, and is not said on the next.
  const [told, setTold] = useState<{ path: string; saving: Saving }>()
  const saving = told?.path === path ? told.saving : 'saved'
  const tell = useCallback((saving: Saving) => setTold({ path, saving }), [path])
  return (
    <SavingContext value={tell}>
      <PageHead
        picture={<Picture kind="app" url={app.icon} name={app.name} size={56} />}
        title={app.name}
        badge={
          <Badge look={app.enabled ? 'on' : 'off'}>{t(app.enabled ? 'clients.enabled' : 'clients.disabled')}</Badge>
        }
        text={<SaveState app={app} saving={saving} />}
      />
      <Tabs
        label={t('clients.tabs')}
        current={path}
        tabs={TABS.map(({ tab, label }) => ({
          href: paths.client(developer_id ?? '', app.client_id, tab),
          label: t(label),
        }))}
      />
      <Outlet />
    </SavingContext>
  )
}

/** Who may change the app reads whether the changes are safe; everybody else, what kind of app it is. */
function SaveState({ app, saving }: { app: ClientInfo; saving: Saving }) {
  const { t } = useI18n()
  if (!can(useUser(), clients.updateClientInfo)) return t(`clients.kind.${app.type}`)
  return (
    <span role="status" className={saving === 'failed' ? 'text-danger' : undefined}>
      {t(saving === 'saved' ? 'clients.saved' : saving === 'saving' ? 'clients.saving' : 'clients.not_saved')}
    </span>
  )
}

/** In the shell, because the developer account is right and only the app is not there. */
function Missing() {
  const { t } = useI18n()
  const { developer_id } = useUser()
  return (
    <div className="flex flex-col items-center py-12 text-center">
      <DoorAjar />
      <h1 tabIndex={-1} className="text-display">
        {t('ui.not_found.heading')}
      </h1>
      <p className="mt-2 mb-7 text-lead text-muted">{t('ui.not_found.text')}</p>
      <ButtonLink look="primary" href={paths.applications(developer_id ?? '')}>
        {t('ui.title.applications')}
      </ButtonLink>
    </div>
  )
}
