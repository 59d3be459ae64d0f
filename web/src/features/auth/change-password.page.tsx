import { useI18n } from '../../lib/i18n.tsx'

export function ChangePasswordPage() {
  const { t } = useI18n()
  return <h1 className="text-head">{t('ui.title.change_password')}</h1>
}
