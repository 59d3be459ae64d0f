import { useQuery } from '@tanstack/react-query'
import type { UserInfo } from '@vrata/contract/account'
import { useI18n } from '../../lib/i18n.tsx'
import { shownTime } from '../../lib/time.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card, LampCard } from '../../ui/card.tsx'
import type { Icon } from '../../ui/draw-icon.tsx'
import { AppsIcon, CheckIcon, DevicesIcon, KeyIcon } from '../../ui/icons.tsx'
import { LockIcon, MailIcon } from '../../ui/inner-icons.tsx'
import { Row, Rows } from '../../ui/row.tsx'
import { type Finding, findingsOf, isWorry } from './check-up.ts'
import { connectedApps, openSessions } from './data.ts'

/** More would be a list of reproaches. */
const SHOWN = 3

const WAYS: Record<Finding['what'], { icon: Icon; href: string }> = {
  email: { icon: MailIcon, href: paths.verify() },
  pending: { icon: MailIcon, href: paths.verify() },
  password_alone: { icon: KeyIcon, href: paths.twoFactor },
  two_factor: { icon: KeyIcon, href: paths.twoFactor },
  codes: { icon: KeyIcon, href: paths.twoFactor },
  passkey: { icon: KeyIcon, href: paths.twoFactor },
  unknown: { icon: DevicesIcon, href: paths.devices },
  devices: { icon: DevicesIcon, href: paths.devices },
  apps: { icon: AppsIcon, href: paths.connectedApps },
}

/** A verdict and what is behind it, worst first, each with the way to mend it. Nothing frightens. */
export function SecurityCheck({ user }: { user: UserInfo }) {
  const { t } = useI18n()
  const wires = useWires()
  const sessions = useQuery(openSessions(wires)).data ?? []
  const apps = useQuery(connectedApps(wires)).data ?? []
  const findings = findingsOf({ user, sessions, apps }).slice(0, SHOWN)
  const worries = findings.filter(isWorry)
  const rows = (
    <Rows>
      {findings.map((finding) => (
        <FindingRow key={finding.what} finding={finding} />
      ))}
      <PasswordRow key="password" user={user} />
    </Rows>
  )
  if (worries[0]) {
    return (
      <LampCard
        title={t('home.check.title')}
        text={t('home.check.attention', { count: worries.length })}
        icon={<KeyIcon />}
        action={
          <ButtonLink look="primary" size="small" href={WAYS[worries[0].what].href}>
            {t('home.check.review')}
          </ButtonLink>
        }
      >
        {rows}
      </LampCard>
    )
  }
  return (
    <Card>
      <div className="flex items-center gap-4 border-b border-line p-5 sm:p-6">
        <span className="flex h-14 w-12 shrink-0 items-center justify-center rounded-arch bg-brand-soft pt-1 text-ok">
          <CheckIcon size={24} />
        </span>
        <div className="min-w-0">
          <h2 className="text-title">{t('home.check.title')}</h2>
          <p className="text-ok">{t('home.check.fine')}</p>
        </div>
      </div>
      {rows}
    </Card>
  )
}

function FindingRow({ finding }: { finding: Finding }) {
  const { t } = useI18n()
  const { icon, href } = WAYS[finding.what]
  switch (finding.what) {
    case 'email':
      return <Row icon={icon} label={t('home.check.email')} text={t('home.check.confirm')} href={href} />
    case 'pending':
      return (
        <Row
          icon={icon}
          label={t('home.check.pending', { email: finding.email })}
          text={t('home.check.confirm')}
          href={href}
        />
      )
    case 'codes':
    case 'unknown':
    case 'devices':
    case 'apps':
      return <Row icon={icon} label={t(`home.check.${finding.what}`, { count: finding.count })} href={href} />
    default:
      return (
        <Row
          icon={icon}
          label={t(`home.check.${finding.what}`)}
          text={t(`home.check.${finding.what}_text`)}
          href={href}
        />
      )
  }
}

function PasswordRow({ user: { has_password, password_updated_at } }: { user: UserInfo }) {
  const { t, format } = useI18n()
  if (!has_password) return null
  const age = password_updated_at
    ? t('home.check.password_age', { when: shownTime(password_updated_at, format).words })
    : t('home.check.password_never')
  return <Row icon={LockIcon} label={t('home.check.password')} text={age} href={paths.securityPassword} />
}
