import type { Connection } from '@vrata/contract/connections'
import { paths } from '@vrata/contract/page-addresses'
import { type ReactNode, useEffect, useRef } from 'react'
import { formatTime, parseServerTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Time } from '../../ui/content/time.tsx'
import { closeDialogs } from '../../ui/dialog/show-dialog.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { AlertIcon } from '../../ui/icons/icons.tsx'
import { ArrowLeftIcon } from '../../ui/icons/signed-in-icons.tsx'
import { Picture } from '../../ui/identity/picture.tsx'
import { Card, CardHead } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { Link, TextLink } from '../../ui/navigation/link.tsx'
import { GrantedScope } from './granted-scope.tsx'
import { RemoveConnection } from './remove-connection.tsx'

/** Details of one connected app: scopes, dates, developer and removal. */
export function ConnectedApp({ connection }: { connection: Connection | undefined }) {
  const { t } = useI18n()
  const back = useRef<HTMLDivElement>(null)

  // The path equals that of the list, so the router does not move focus to this heading.
  useEffect(() => back.current?.parentElement?.querySelector('h1')?.focus({ preventScroll: true }), [])
  // Nor does it close what asks about this app when the way back leads to the list.
  useEffect(() => closeDialogs, [])

  return (
    <>
      <div ref={back}>
        <Link
          href={paths.connectedApps}
          className="-ml-2 inline-flex min-h-11 items-center gap-2 rounded-row px-2 font-semibold text-brand hover:text-brand-strong"
        >
          <ArrowLeftIcon size={18} />
          {t('connections.app.back')}
        </Link>
      </div>
      {connection ? <Details connection={connection} /> : <NotConnected />}
    </>
  )
}

function NotConnected() {
  const { t } = useI18n()
  return (
    <>
      <PageHead title={t('connections.app.missing')} />
      <Card>
        <EmptyState
          text={t('connections.app.missing_text')}
          action={<ButtonLink href={paths.connectedApps}>{t('connections.app.back')}</ButtonLink>}
        />
      </Card>
    </>
  )
}

function Details({ connection }: { connection: Connection }) {
  const { t } = useI18n()
  const { client, scopes, disabled, open_url } = connection
  return (
    <>
      <PageHead
        picture={<Picture kind="app" url={client.icon} name={client.name} size={72} inactive={disabled} />}
        title={client.name}
        badge={disabled && <Badge look="off">{t('connections.apps.disabled')}</Badge>}
        text={client.description ?? <Maker client={client} />}
        action={
          open_url && (
            <ButtonLink href={open_url} target="_blank" rel="noreferrer">
              {t('connections.app.open')}
              <span className="sr-only"> ({t('ui.opens_new_tab')})</span>
            </ButtonLink>
          )
        }
      />
      {disabled && (
        <p className="flex gap-3 rounded-control bg-accent-soft px-4 py-3 text-on-accent">
          <AlertIcon className="mt-0.5" />
          <span className="min-w-0">{t('connections.apps.disabled_text')}</span>
        </p>
      )}
      <Card aria-labelledby="may">
        <CardHead id="may" title={t('connections.app.may')} />
        <Rows>
          {scopes.map((scope) => (
            <GrantedScope key={scope.key} connection={connection} scope={scope} />
          ))}
        </Rows>
      </Card>
      <Services connection={connection} />
      <About connection={connection} />
      <RemoveConnection connection={connection} />
    </>
  )
}

function Maker({ client: { claimed_name, developer } }: Pick<Connection, 'client'>) {
  const { t } = useI18n()
  return claimed_name === null
    ? t('connections.made_by', { organization: developer.name })
    : t('connections.unregistered.made_by', { host: developer.name })
}

/** Services that have acted for the user with the access of the app (RFC 8693). */
function Services({ connection: { client, services } }: { connection: Connection }) {
  const { t, format } = useI18n()
  if (services.length === 0) return null
  const dayOf = (time: string) => format.date(parseServerTime(time))
  return (
    <Card aria-labelledby="services">
      <CardHead
        id="services"
        title={t('connections.app.services')}
        text={t('connections.app.services_text', { app: client.name })}
      />
      <Rows>
        {services.map(({ client: service, last_used_at }) => (
          <Row
            key={service.client_id}
            picture={<Picture kind="app" url={service.icon} name={service.name} size={40} />}
            label={service.name}
            text={service.developer.name}
            value={<Time at={last_used_at} words={dayOf(last_used_at)} exact={dayOf(last_used_at)} />}
          />
        ))}
      </Rows>
    </Card>
  )
}

function About({ connection: { client, connected_at, last_used_at } }: { connection: Connection }) {
  const { t, format } = useI18n()
  const since = formatTime(connected_at, format)
  const used = last_used_at ? formatTime(last_used_at, format) : undefined
  return (
    <Card aria-labelledby="about">
      <CardHead id="about" title={t('connections.app.about')} />
      <Rows>
        <Row
          label={t('connections.app.since')}
          long
          value={<Time at={connected_at} words={format.date(parseServerTime(connected_at))} exact={since.exact} />}
        />
        <Row
          label={t('connections.app.last_used')}
          long
          value={
            used && last_used_at ? (
              <Time at={last_used_at} words={used.words} exact={used.exact} />
            ) : (
              t('connections.apps.never_used')
            )
          }
        />
        {client.claimed_name === null ? (
          <Row long label={t('connections.app.maker')} value={client.developer.name} />
        ) : (
          <Row long label={t('connections.unregistered.name')} value={client.claimed_name} />
        )}
        {client.home_page_url && (
          <Row long label={t('connections.app.site')} value={<ExternalLink href={client.home_page_url} />} />
        )}
        {client.privacy_policy_url && (
          <Row long label={t('ui.privacy_policy')} value={<ExternalLink href={client.privacy_policy_url} />} />
        )}
        {client.terms_of_service_url && (
          <Row long label={t('ui.terms_of_service')} value={<ExternalLink href={client.terms_of_service_url} />} />
        )}
      </Rows>
    </Card>
  )
}

/** External page in a new tab, labeled with its host. */
function ExternalLink({ href }: { href: string }): ReactNode {
  const { t } = useI18n()
  return (
    <TextLink href={href} target="_blank" rel="noreferrer">
      {URL.canParse(href) ? new URL(href).host : href}
      <span className="sr-only"> ({t('ui.opens_new_tab')})</span>
    </TextLink>
  )
}
