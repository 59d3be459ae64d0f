import { useQuery } from '@tanstack/react-query'
import { Outlet, useLocation, useParams } from '@tanstack/react-router'
import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { type ClientTab, paths } from '@vrata/contract/page-addresses'
import { requestIdOf } from '../../lib/api/call-query.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { ApprovalCard } from '../../lib/approval/approval-card.tsx'
import { clientInfo, setClientInfo } from '../../lib/clients/client-queries.ts'
import { ClientStateBadge } from '../../lib/clients/client-state-badge.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { can } from '../../lib/organizations/allowed-calls.ts'
import { useUser } from '../../lib/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { DoorAjar, ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { Picture } from '../../ui/identity/picture.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Tabs } from '../../ui/navigation/tabs.tsx'
import { isMissing } from './queries.ts'

const TABS = [
  { tab: 'details', label: 'clients.tab.details' },
  { tab: 'development', label: 'clients.tab.development' },
  { tab: 'quick-start', label: 'clients.tab.quick_start' },
  { tab: 'scopes', label: 'clients.tab.scopes' },
] as const satisfies { tab: ClientTab; label: string }[]

/** Layout of the pages of one app: name, state and tabs. */
export function ClientLayout() {
  const { t } = useI18n()
  const { clientId = '' } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(clientInfo(useAppContext(), clientId))
  // The former data stays when the app is read again and does not exist any more, because another member has deleted it.
  if (isMissing(error)) return <Missing />
  if (data) return <Client key={clientId} app={data} />
  return (
    <Card className="max-w-240">
      {error ? (
        <ErrorState
          heading="h1"
          title={t('clients.failed_one')}
          text={t('clients.failed_text')}
          onRetry={() => void refetch()}
          code={requestIdOf(error)}
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
  const context = useAppContext()
  const user = useUser()
  const { developer_id } = user
  const ask = () => context.api(clients.requestClientApproval, { id: app.client_id })
  return (
    <>
      <PageHead
        picture={<Picture kind="app" url={app.icon} name={app.name} size={56} />}
        title={app.name}
        badge={<ClientStateBadge app={app} />}
        text={t(`clients.kind.${app.type}`)}
      />
      {app.approval && (
        <div className="max-w-240">
          <ApprovalCard
            kind="app"
            approval={app.approval}
            reason={app.approval_reason}
            onAsk={can(user, clients.requestClientApproval) ? ask : undefined}
            onAsked={(info) => setClientInfo(context, info)}
          />
        </div>
      )}
      <Tabs
        label={t('clients.tabs')}
        current={path}
        tabs={TABS.map(({ tab, label }) => ({
          href: paths.client(developer_id ?? '', app.client_id, tab),
          label: t(label),
        }))}
      />
      <Outlet />
    </>
  )
}

/** Shown inside the shell, because the developer account is valid and only the app is missing. */
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
        {t('menu.title.applications')}
      </ButtonLink>
    </div>
  )
}
