import { paths } from '@vrata/contract/page-addresses'
import { useI18n } from '../../lib/i18n.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { PublicCard } from '../../ui/layout/public-card.tsx'

/** Offers an operator a passkey or two-step sign-in, without which no role can be used (operators §1). */
export function ProtectAccountCard({ title, text }: { title: string; text: string }) {
  const { t } = useI18n()
  return (
    <PublicCard title={title} text={text}>
      <div className="flex flex-col gap-3">
        <ButtonLink look="primary" href={paths.passkeys}>
          {t('operators.setup.add_passkey')}
        </ButtonLink>
        <ButtonLink href={paths.twoFactor}>{t('operators.setup.add_two_factor')}</ButtonLink>
      </div>
    </PublicCard>
  )
}
