import type { UserInfo } from '@vrata/contract/account'
import { paths } from '@vrata/contract/page-addresses'
import { formatTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import type { Icon } from '../../ui/icons/draw-icon.tsx'
import { AlertIcon, AppsIcon, KeyIcon } from '../../ui/icons/icons.tsx'
import { DevicesIcon, LockIcon, MailIcon } from '../../ui/icons/signed-in-icons.tsx'
import { Row } from '../../ui/layout/row.tsx'
import { type Finding, isWarning } from './security-findings.ts'

/** Icon and address of the solution of each finding. */
export const ACTIONS: Record<Finding['what'], { icon: Icon; href: string }> = {
  email: { icon: MailIcon, href: paths.verify() },
  pending: { icon: MailIcon, href: paths.verify() },
  password_alone: { icon: KeyIcon, href: paths.twoFactor },
  two_factor: { icon: KeyIcon, href: paths.twoFactor },
  codes: { icon: KeyIcon, href: paths.twoFactor },
  passkey: { icon: KeyIcon, href: paths.passkeys },
  unknown: { icon: DevicesIcon, href: paths.devices },
  devices: { icon: DevicesIcon, href: paths.devices },
  apps: { icon: AppsIcon, href: paths.connectedApps },
}

/** A finding of the security check; warnings are marked. */
export function FindingRow({ finding }: { finding: Finding }) {
  const { t } = useI18n()
  const { label, text } = useFindingText()(finding)
  const { icon, href } = ACTIONS[finding.what]
  return (
    <Row
      icon={icon}
      label={label}
      text={text}
      value={isWarning(finding) && <Mark label={t('home.check.needed')} />}
      href={href}
    />
  )
}

/** Mark of a row that needs attention. */
function Mark({ label }: { label: string }) {
  return (
    <span className="flex size-8 items-center justify-center rounded-full bg-accent-soft text-on-accent">
      <AlertIcon size={18} />
      <span className="sr-only">{label}</span>
    </span>
  )
}

/** Sentence and second line of a finding. */
export function useFindingText() {
  const { t } = useI18n()
  return (finding: Finding): { label: string; text?: string } => {
    switch (finding.what) {
      case 'email':
        return { label: t('home.check.email'), text: t('home.check.confirm') }
      case 'pending':
        return { label: t('home.check.pending', { email: finding.email }), text: t('home.check.confirm') }
      case 'codes':
      case 'unknown':
      case 'devices':
      case 'apps':
        return { label: t(`home.check.${finding.what}`, { count: finding.count }) }
      default:
        return { label: t(`home.check.${finding.what}`), text: t(`home.check.${finding.what}_text`) }
    }
  }
}

/** Age of the password, without a mark. */
export function PasswordRow({ user: { has_password, password_updated_at } }: { user: UserInfo }) {
  const { t, format } = useI18n()
  if (!has_password) return null
  const age = password_updated_at
    ? t('home.check.password_age', { when: formatTime(password_updated_at, format).words })
    : t('home.check.password_never')
  return <Row icon={LockIcon} label={t('home.check.password')} text={age} href={paths.securityPassword} />
}
