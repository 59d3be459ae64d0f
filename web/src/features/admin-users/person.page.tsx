import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { AdminUserDetails } from '@vrata/contract/admin-users'
import { paths } from '@vrata/contract/page-addresses'
import type { ReactNode } from 'react'
import { useAppContext } from '../../lib/app-context.tsx'
import { formatPhoneNumber } from '../../lib/format/phone-number.ts'
import { formatTime, parseServerTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { LoadedPage } from '../../lib/loading/loaded-page.tsx'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/content/copy-button.tsx'
import { EmailAddress } from '../../ui/content/email-address.tsx'
import { Time } from '../../ui/content/time.tsx'
import { activityIcon } from '../../ui/icons/activity-icon.ts'
import { accountName } from '../../ui/identity/account-card.tsx'
import { Picture } from '../../ui/identity/picture.tsx'
import { Card, CardBody, CardHead } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { FactorResetCard } from './factor-reset.tsx'
import { personQuery } from './people-queries.ts'
import { usePersonAccount } from './person-account.tsx'
import { PersonActions } from './person-actions.tsx'
import { StatusBadge } from './status-badge.tsx'

/** One person, for operators: state, ways to sign in, devices, apps, organizations, activity, and help. */
export function PersonPage() {
  const { userId = '' } = useParams({ strict: false })
  const query = useQuery(personQuery(useAppContext(), userId))
  return (
    <LoadedPage query={query} phrases="admin-users" list={paths.adminPeople}>
      {(person) => <Person person={person} />}
    </LoadedPage>
  )
}

function Person({ person }: { person: AdminUserDetails }) {
  const { t, format } = useI18n()
  const name = accountName(person)
  const date = (time: string) => format.date(parseServerTime(time))
  // A sign-in cancels the deletion; nobody signs in to a disabled account, or to one that nobody has taken over.
  const maySignIn = !person.disabled && (person.email_verified || person.sign_in_methods.password)
  return (
    <div className="space-y-6">
      <PageHead
        picture={<Picture kind="user" url={person.profile_picture} name={name} size={72} />}
        title={name}
        text={name === person.email ? undefined : <EmailAddress>{person.email}</EmailAddress>}
        badge={<StatusBadge status={person.status} />}
      />
      {person.disabled && (
        <p>{t('admin-users.disabled_since', { date: date(person.disabled.at), reason: person.disabled.reason })}</p>
      )}
      {person.deletion_due_at && (
        <p>
          {t(maySignIn ? 'admin-users.deleted_on' : 'admin-users.deleted_on.unless_restored', {
            date: date(person.deletion_due_at),
          })}
        </p>
      )}
      <FactorResetCard person={person} />
      <PersonActions person={person} />
      <Profile person={person} />
      <Methods methods={person.sign_in_methods} />
      <Section title={t('admin-users.sessions')} empty={t('admin-users.sessions.none')}>
        {person.sessions.map(({ id, browser, os, location, ip, last_seen }) => (
          <Row
            key={id}
            label={[browser, os].filter(Boolean).join(' · ') || ip}
            text={[location, ip].filter(Boolean).join(' · ')}
            value={<Time at={last_seen} {...formatTime(last_seen, format)} />}
          />
        ))}
      </Section>
      <Section title={t('admin-users.apps')} empty={t('admin-users.apps.none')}>
        {person.connections.map(({ client_id, name: app, icon, connected_at }) => (
          <Row
            key={client_id}
            picture={<Picture kind="app" url={icon} name={app} size={24} />}
            label={app}
            value={date(connected_at)}
          />
        ))}
      </Section>
      <Section title={t('admin-users.groups')} empty={t('admin-users.groups.none')}>
        {person.groups.map(({ key, name: group }) => (
          <Row key={key} label={group} text={key} href={paths.adminGroup(key)} />
        ))}
      </Section>
      <Section title={t('admin-users.organizations')} empty={t('admin-users.organizations.none')}>
        {person.organizations.map(({ developer_id, name: organization, permission }) => (
          <Row
            key={developer_id}
            label={organization}
            value={t(`menu.level.${permission}`)}
            href={paths.adminOrganization(developer_id)}
          />
        ))}
      </Section>
      <Section title={t('admin-users.activity')} empty={t('admin-users.activity.none')}>
        {person.activity.map(({ id, type, os, browser, location, created_at }) => (
          <Row
            key={id}
            icon={activityIcon(type, os)}
            label={t(`activity.${type}`, { app: 'none', service: 'none' })}
            text={[browser, os, location].filter(Boolean).join(' · ') || undefined}
            value={<Time at={created_at} {...formatTime(created_at, format)} />}
          />
        ))}
      </Section>
    </div>
  )
}

function Profile({ person }: { person: AdminUserDetails }) {
  const { t, format } = useI18n()
  const { keepAddress } = usePersonAccount(person)
  const mayChange = useUser().operator_role === 'admin'
  const rows = [
    ['username', person.username],
    ['phone', person.phone_number && formatPhoneNumber(person.phone_number)],
    ['birth_date', person.birth_date && format.date(person.birth_date)],
    ['created', format.date(parseServerTime(person.created_at))],
  ] as const
  return (
    <Section title={t('admin-users.profile')} empty="">
      <Row
        label={t('admin-users.id')}
        text={<code className="font-mono wrap-anywhere">{person.id}</code>}
        action={<CopyButton text={person.id} what={t('admin-users.id')} />}
      />
      {person.pending_email && (
        <Row
          label={t('admin-users.pending_email')}
          text={<span className="wrap-anywhere">{person.pending_email}</span>}
          action={
            mayChange && (
              <Button size="small" onClick={() => void keepAddress()}>
                {t('admin-users.keep')}
              </Button>
            )
          }
        />
      )}
      {rows.flatMap(([label, value]) =>
        value ? <Row key={label} label={t(`admin-users.${label}`)} value={value} long /> : [],
      )}
      <Row label={t('admin-users.audit')} href={`${paths.adminAudit}?subject=${person.id}`} />
    </Section>
  )
}

function Methods({ methods }: { methods: AdminUserDetails['sign_in_methods'] }) {
  const { t } = useI18n()
  const yesNo = (is: boolean) => t(is ? 'admin-users.yes' : 'admin-users.no')
  return (
    <Section title={t('admin-users.methods')} empty="">
      <Row key="password" label={t('admin-users.method.password')} value={yesNo(methods.password)} />
      <Row key="two_factor" label={t('admin-users.method.two_factor')} value={yesNo(methods.two_factor)} />
      <Row key="passkeys" label={t('admin-users.method.passkeys')} value={String(methods.passkeys)} />
      {methods.two_factor && (
        <Row key="codes" label={t('admin-users.method.codes')} value={String(methods.recovery_codes_left)} />
      )}
    </Section>
  )
}

function Section({ title, empty, children }: { title: string; empty: string; children: ReactNode }) {
  const none = Array.isArray(children) && children.length === 0
  return (
    <Card>
      <CardHead title={title} />
      {none ? (
        <CardBody>
          <p className="text-muted">{empty}</p>
        </CardBody>
      ) : (
        <Rows label={title}>{children}</Rows>
      )}
    </Card>
  )
}
