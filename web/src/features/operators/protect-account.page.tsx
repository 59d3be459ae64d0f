import { useI18n } from '../../lib/i18n.tsx'
import { ProtectAccountCard } from './protect-account-card.tsx'

/** Where the guard leads an operator whose account has neither a passkey nor two-step sign-in (operators §1). */
export function ProtectAccountPage() {
  const { t } = useI18n()
  return <ProtectAccountCard title={t('operators.factor.title')} text={t('operators.factor.text')} />
}
