import { paths } from '@vrata/contract/page-addresses'
import { useI18n } from '../../lib/i18n.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { PublicCard } from '../../ui/layout/public-card.tsx'

/** Where the guard leads an operator whose account has neither a passkey nor two-step sign-in (operators §1). */
export function ProtectAccountPage() {
  const { t } = useI18n()
  return (
    <PublicCard title={t('operators.factor.title')} text={t('operators.factor.text')}>
      <div className="flex flex-col gap-3">
        <ButtonLink look="primary" href={paths.passkeys}>
          {t('operators.setup.add_passkey')}
        </ButtonLink>
        <ButtonLink href={paths.twoFactor}>{t('operators.setup.add_two_factor')}</ButtonLink>
      </div>
    </PublicCard>
  )
}
