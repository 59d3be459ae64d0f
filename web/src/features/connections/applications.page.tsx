import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { Connection } from '@vrata/contract/connections'
import { isLongAgo } from '../../lib/age.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { shownTime } from '../../lib/time.ts'
import { CallFailed } from '../../lib/use-call.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card, LampCard } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ClockIcon } from '../../ui/inner-icons.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Picture } from '../../ui/picture.tsx'
import { Row, Rows } from '../../ui/row.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { ConnectedApp } from './connected-app.tsx'
import { connectionList } from './data.ts'

/** Every app that the person has allowed; `?app=` shows one of them whole. */
export function ApplicationsPage() {
  const { t } = useI18n()
  const { app } = useSearch({ strict: false }) as { app?: string }
  const { data, error, refetch } = useQuery(connectionList(useWires()))
  if (app !== undefined && data)
    return <ConnectedApp key={app} connection={data.find((one) => one.client.client_id === app)} />
  return (
    <>
      <PageHead title={t('ui.title.connected_apps')} text={t('connections.apps.text')} />
      {data ? (
        <Apps connections={data} />
      ) : (
        <Card>
          {error ? (
            <ErrorState
              title={t('connections.apps.failed')}
              text={t('connections.apps.failed_text')}
              onRetry={() => void refetch()}
              code={error instanceof CallFailed ? error.problem.request_id : undefined}
            />
          ) : (
            <SkeletonRows label={t('connections.apps.loading')} />
          )}
        </Card>
      )}
    </>
  )
}

/** What nobody has used for half a year comes first, with a suggestion. */
function Apps({ connections }: { connections: readonly Connection[] }) {
  const { t } = useI18n()
  if (!connections.length) {
    return (
      <Card>
        <EmptyState text={t('connections.apps.empty')} />
      </Card>
    )
  }
  const unused = connections.filter(({ last_used_at, connected_at }) => isLongAgo(last_used_at ?? connected_at))
  const used = connections.filter((connection) => !unused.includes(connection))
  return (
    <>
      {unused.length > 0 && (
        <LampCard
          title={t('connections.apps.unused', { count: unused.length })}
          text={t('connections.apps.unused_text')}
          icon={<ClockIcon />}
        >
          <AppRows connections={unused} />
        </LampCard>
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
    ? t('connections.apps.used', { when: shownTime(last_used_at, format).words })
    : t('connections.apps.never_used')
  return (
    <Row
      picture={
        <Picture kind="app" url={client.icon} name={client.name} className={disabled ? 'opacity-60 grayscale' : ''} />
      }
      label={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="min-w-0 break-words">{client.name}</span>
          {disabled && <Badge look="off">{t('connections.apps.disabled')}</Badge>}
        </span>
      }
      text={`${useInShort(scopes)} · ${used}`}
      href={paths.connectedApp(client.client_id)}
    />
  )
}

/** As many permissions as a line takes. */
const SHOWN = 2

/** What an app may do, in few words; recognizing the person is what every app does. */
function useInShort(scopes: Connection['scopes']): string {
  const { t } = useI18n()
  const telling = scopes.filter(({ key }) => key !== 'openid').map(({ title }) => title)
  if (!telling.length) return t('connections.apps.only_sign_in')
  const more = telling.length - SHOWN
  const said = telling.slice(0, SHOWN).join(', ')
  return more > 0 ? `${said} ${t('connections.apps.more', { count: more })}` : said
}
