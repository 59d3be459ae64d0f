import { useI18n } from '../../lib/i18n.tsx'
import { CopyField } from '../../ui/content/copy-field.tsx'
import { AlertIcon } from '../../ui/icons/icons.tsx'

/** A secret, shown only once. */
export function OneTimeSecret({ secret }: { secret: string }) {
  const { t } = useI18n()
  return (
    <>
      <CopyField label={t('clients.client_secret')} text={secret} />
      <p className="flex gap-3 rounded-control bg-accent-soft px-4 py-3 text-on-accent">
        <AlertIcon className="mt-0.5" />
        <span className="min-w-0">
          <strong className="block font-semibold">{t('clients.secret_once.title')}</strong>
          {t('clients.secret_once.text')}
        </span>
      </p>
    </>
  )
}
