import { useI18n } from '../../lib/i18n.tsx'

export function SelectPage() {
  const { t } = useI18n()
  return <h1 className="text-head">{t('ui.title.select_developer')}</h1>
}
