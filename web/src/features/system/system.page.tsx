import { useI18n } from '../../lib/i18n.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { ConfigurationCard } from './configuration-card.tsx'
import { KeysCard } from './keys-card.tsx'
import { MailsCard } from './mails-card.tsx'
import { TokensCard } from './tokens-card.tsx'

/** Mails, signing keys, tokens for registering apps, and the configuration. Administrators change them. */
export function SystemPage() {
  const { t } = useI18n()
  return (
    <div className="space-y-6">
      <PageHead title={t('system.title')} text={t('system.text')} />
      <MailsCard />
      <KeysCard />
      <TokensCard />
      <ConfigurationCard />
    </div>
  )
}
