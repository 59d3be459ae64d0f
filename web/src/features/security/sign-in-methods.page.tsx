import { paths } from '@vrata/contract/page-addresses'
import { formatTime, parseServerTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { KeyIcon } from '../../ui/icons/icons.tsx'
import { BookIcon, LockIcon, PhoneIcon } from '../../ui/icons/signed-in-icons.tsx'
import { Card, CardHead } from '../../ui/layout/card.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { QrSignInSwitch } from './qr-sign-in-switch.tsx'

/** `/security`: every way to sign in with its state (design §7.15). */
export function SignInMethodsPage() {
  const { t, format } = useI18n()
  const user = useUser()
  const on = user.otp_enabled_at
    ? t('security.otp.since', { when: format.date(parseServerTime(user.otp_enabled_at)) })
    : t('security.otp.on')
  const unconfirmed = user.email_verified ? undefined : t('security.methods.confirm_first')
  const age = user.password_updated_at
    ? t('security.password.age', { when: formatTime(user.password_updated_at, format).words })
    : t('security.password.never')
  return (
    <>
      <Card aria-labelledby="methods">
        <CardHead id="methods" title={t('security.methods.title')} text={t('security.methods.text')} />
        <Rows>
          <Row
            key="password"
            icon={LockIcon}
            label={t('security.tab.password')}
            text={user.has_password ? age : t('security.methods.not_set')}
            href={paths.securityPassword}
          />
          <Row
            key="passkeys"
            icon={KeyIcon}
            label={t('security.passkeys.title')}
            text={
              (user.passkeys === 0 ? unconfirmed : undefined) ??
              t('security.methods.passkeys', { count: user.passkeys })
            }
            href={paths.passkeys}
          />
          <Row
            key="two-factor"
            icon={PhoneIcon}
            label={t('security.otp.title')}
            text={user.otp_enabled ? on : (unconfirmed ?? t('security.otp.off'))}
            href={paths.twoFactor}
          />
          <Row
            key="codes"
            icon={BookIcon}
            label={t('security.codes.title')}
            text={
              user.otp_enabled
                ? t('security.codes.left', { count: user.recovery_codes_left })
                : t('security.methods.codes_off')
            }
            href={paths.twoFactor}
          />
        </Rows>
      </Card>
      <QrSignInSwitch />
    </>
  )
}
