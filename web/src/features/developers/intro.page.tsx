import { useI18n } from '../../lib/i18n.tsx'

export function IntroPage() {
  const { t } = useI18n()
  return <h1 className="text-head">{t('ui.title.developers')}</h1>
}
