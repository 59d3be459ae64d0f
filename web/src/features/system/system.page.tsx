import { useI18n } from '../../lib/i18n.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { KeysCard } from './keys-card.tsx'
import { MailsCard } from './mails-card.tsx'
import { TokensCard } from './tokens-card.tsx'

/** Mails, signing keys and tokens for registering apps. Administrators change them. */
export function SystemPage() {
  const { t } = useI18n()
  return (
    <div className="space-y-6">
      <PageHead title={t('system.title')} text={t('system.text')} />
      <MailsCard />
      <KeysCard />
      <TokensCard />
    </div>
  )
}
