import type { Connection } from '@vrata/contract/connections'
import { type ReactNode, useEffect, useRef } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { serverTime, shownTime } from '../../lib/time.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card, CardHead } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { ArrowLeftIcon } from '../../ui/inner-icons.tsx'
import { Link, TextLink } from '../../ui/link.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Picture } from '../../ui/picture.tsx'
import { Row, Rows } from '../../ui/row.tsx'
import { Time } from '../../ui/time.tsx'
import { AllowedScope } from './allowed-scope.tsx'
import { RemoveAccess } from './remove-access.tsx'

/** One connected app whole: what it may do, since when, who makes it, and the way to end it. */
export function ConnectedApp({ connection }: { connection: Connection | undefined }) {
  const { t } = useI18n()
  const back = useRef<HTMLDivElement>(null)

  // The path is the same as that of the list, so nothing else moves the focus to this heading.
  useEffect(() => back.current?.parentElement?.querySelector('h1')?.focus({ preventScroll: true }), [])

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
  const { client, scopes, disabled } = connection
  return (
    <>
      <PageHead
        picture={
          <Picture
            kind="app"
            url={client.icon}
            name={client.name}
            size={72}
            className={disabled ? 'opacity-60 grayscale' : ''}
          />
        }
        title={client.name}
        badge={disabled && <Badge look="off">{t('connections.apps.disabled')}</Badge>}
        text={client.description ?? t('connections.made_by', { organization: client.developer.name })}
      />
      {disabled && (
        <p className="flex gap-3 rounded-control bg-lamp-soft px-4 py-3 text-on-lamp">
          <AlertIcon className="mt-0.5" />
          <span className="min-w-0">{t('connections.apps.disabled_text')}</span>
        </p>
      )}
      <Card aria-labelledby="may">
        <CardHead id="may" title={t('connections.app.may')} />
        <Rows>
          {scopes.map((scope) => (
            <AllowedScope key={scope.key} connection={connection} scope={scope} />
          ))}
        </Rows>
      </Card>
      <About connection={connection} />
      <RemoveAccess connection={connection} />
    </>
  )
}

function About({ connection: { client, connected_at, last_used_at } }: { connection: Connection }) {
  const { t, format } = useI18n()
  const since = shownTime(connected_at, format)
  const used = last_used_at ? shownTime(last_used_at, format) : undefined
  return (
    <Card aria-labelledby="about">
      <CardHead id="about" title={t('connections.app.about')} />
      <Rows>
        <Row
          label={t('connections.app.since')}
          value={<Time at={connected_at} words={format.date(serverTime(connected_at))} exact={since.exact} />}
        />
        <Row
          label={t('connections.app.last_used')}
          value={
            used && last_used_at ? (
              <Time at={last_used_at} words={used.words} exact={used.exact} />
            ) : (
              t('connections.apps.never_used')
            )
          }
        />
        <Row label={t('connections.app.maker')} value={client.developer.name} />
        {client.home_page_url && (
          <Row label={t('connections.app.site')} value={<Outside href={client.home_page_url} />} />
        )}
        {client.privacy_policy_url && (
          <Row label={t('connections.privacy_policy')} value={<Outside href={client.privacy_policy_url} />} />
        )}
      </Rows>
    </Card>
  )
}

/** A page of somebody else's, in a tab of its own; its host is what people know it by. */
function Outside({ href }: { href: string }): ReactNode {
  const { t } = useI18n()
  return (
    <TextLink href={href} target="_blank" rel="noreferrer">
      {URL.canParse(href) ? new URL(href).host : href}
      <span className="sr-only"> ({t('ui.opens_new_tab')})</span>
    </TextLink>
  )
}
