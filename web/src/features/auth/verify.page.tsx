import { useI18n } from '../../lib/i18n.tsx'

export function VerifyPage() {
  const { t } = useI18n()
  return <h1 className="text-head">{t('ui.title.verify')}</h1>
}
