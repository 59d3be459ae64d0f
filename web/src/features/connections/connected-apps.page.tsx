import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { Connection } from '@vrata/contract/connections'
import { paths } from '@vrata/contract/page-addresses'
import { requestIdOf } from '../../lib/api/call-query.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { isLongAgo } from '../../lib/format/is-long-ago.ts'
import { formatTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { Badge } from '../../ui/feedback/badge.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { ClockIcon } from '../../ui/icons/signed-in-icons.tsx'
import { Picture } from '../../ui/identity/picture.tsx'
import { AttentionCard, Card } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { ConnectedApp } from './connected-app.tsx'
import { connectionList } from './queries.ts'

/** Apps that the user has allowed; `?app=` selects one. */
export function ConnectedAppsPage() {
  const { t } = useI18n()
  const { app } = useSearch({ strict: false }) as { app?: string }
  const { data, error, refetch } = useQuery(connectionList(useAppContext()))
  if (app !== undefined && data)
    return <ConnectedApp key={app} connection={data.find((one) => one.client.client_id === app)} />
  return (
    <>
      <PageHead title={t('menu.title.connected_apps')} text={t('connections.apps.text')} />
      {data ? (
        <Apps connections={data} />
      ) : (
        <Card>
          {error ? (
            <ErrorState
              title={t('connections.apps.failed')}
              text={t('connections.apps.failed_text')}
              onRetry={() => void refetch()}
              code={requestIdOf(error)}
            />
          ) : (
            <SkeletonRows label={t('connections.apps.loading')} />
          )}
        </Card>
      )}
    </>
  )
}

/** Apps unused for half a year come first, with a suggestion. */
function Apps({ connections }: { connections: readonly Connection[] }) {
  const { t, format } = useI18n()
  if (!connections.length) {
    return (
      <Card>
        <EmptyState text={t('connections.apps.empty')} />
      </Card>
    )
  }
  const now = format.now()
  const unused = connections.filter(({ last_used_at, connected_at }) => isLongAgo(last_used_at ?? connected_at, now))
  const used = connections.filter((connection) => !unused.includes(connection))
  return (
    <>
      {unused.length > 0 && (
        <AttentionCard
          title={t('connections.apps.unused', { count: unused.length })}
          text={t('connections.apps.unused_text')}
          icon={<ClockIcon />}
        >
          <AppRows connections={unused} />
        </AttentionCard>
      )}
      {used.length > 0 && (
        <Card>
          <AppRows connections={used} />
        </Card>
      )}
    </>
  )
}

function AppRows({ connections }: { connections: readonly Connection[] }) {
  const { t } = useI18n()
  return (
    <Rows label={t('connections.apps.list')}>
      {connections.map((connection) => (
        <AppRow key={connection.client.client_id} connection={connection} />
      ))}
    </Rows>
  )
}

function AppRow({ connection: { client, scopes, last_used_at, disabled } }: { connection: Connection }) {
  const { t, format } = useI18n()
  const used = last_used_at
    ? t('connections.apps.used', { when: formatTime(last_used_at, format).words })
    : t('connections.apps.never_used')
  return (
    <Row
      picture={<Picture kind="app" url={client.icon} name={client.name} inactive={disabled} />}
      label={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0">{client.name}</span>
          {disabled && <Badge look="off">{t('connections.apps.disabled')}</Badge>}
        </span>
      }
      text={`${useScopeSummary(scopes)} · ${used}`}
      href={paths.connectedApp(client.client_id)}
    />
  )
}

/** Number of scopes shown in one line. */
const SHOWN = 2

/** Short list of scopes; `openid` is omitted because every app has it. */
function useScopeSummary(scopes: Connection['scopes']): string {
  const { t, format } = useI18n()
  const titles = scopes
    .filter(({ key }) => key !== 'openid')
    .map(({ title }, index) => (index ? format.inText(title) : title))
  if (!titles.length) return t('connections.apps.only_sign_in')
  const more = titles.length - SHOWN
  const listed = titles.slice(0, SHOWN).join(', ')
  return more > 0 ? `${listed} ${t('connections.apps.more', { count: more })}` : listed
}
