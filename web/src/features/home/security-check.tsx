import type { UserInfo } from '@vrata/contract/account'
import { useI18n } from '../../lib/i18n.tsx'
import { shownTime } from '../../lib/time.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card, LampCard } from '../../ui/card.tsx'
import { CheckIcon, KeyIcon, LockIcon, MailIcon } from '../../ui/icons.tsx'
import { Row, Rows } from '../../ui/row.tsx'

/** A verdict and the facts behind it, worst first. Nothing frightens, and what is in order says so. */
export function SecurityCheck({ user }: { user: UserInfo }) {
  const { t } = useI18n()
  const worries = worriesOf(user)
  const rows = (
    <Rows>
      {worries.map(({ key, label }) => (
        <Row key={key} icon={MailIcon} label={label} value={t('home.check.confirm')} href={paths.verify()} />
      ))}
      <PasswordRow user={user} />
    </Rows>
  )
  if (worries.length) {
    return (
      <LampCard
        title={t('home.check.title')}
        text={t('home.check.attention', { count: worries.length })}
        icon={<KeyIcon />}
        action={
          <ButtonLink look="primary" size="small" href={paths.verify()}>
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

  function worriesOf({ email_verified, pending_email }: UserInfo) {
    if (!email_verified) return [{ key: 'email', label: t('home.check.email') }]
    if (pending_email) return [{ key: 'pending', label: t('home.check.pending', { email: pending_email }) }]
    return []
  }
}

function PasswordRow({ user: { has_password, password_updated_at } }: { user: UserInfo }) {
  const { t, format } = useI18n()
  if (!has_password) return null
  const age = password_updated_at
    ? t('home.check.password_age', { when: shownTime(password_updated_at, format).words })
    : t('home.check.password_never')
  return <Row icon={LockIcon} label={t('home.check.password')} text={age} href={paths.changePassword} />
}
