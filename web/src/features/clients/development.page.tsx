import { useI18n } from '../../lib/i18n.tsx'

export function DevelopmentPage() {
  const { t } = useI18n()
  return <h1 className="text-head">{t('ui.title.client_development')}</h1>
}
