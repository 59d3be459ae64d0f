import { useI18n } from '../../lib/i18n.tsx'
import { CopyButton } from '../../ui/content/copy-button.tsx'
import { AlertIcon } from '../../ui/icons/icons.tsx'

/** A credential with a copy button. */
export function Credential({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <p className="mb-1.5 font-semibold">{label}</p>
      <div className="flex items-center gap-3 rounded-control border border-line bg-sunken py-1.5 pr-1.5 pl-3.5">
        <code className="min-w-0 grow font-mono text-small break-all select-all">{value}</code>
        <CopyButton text={value} what={label} />
      </div>
    </div>
  )
}

/** A secret, shown only once. */
export function OneTimeSecret({ secret }: { secret: string }) {
  const { t } = useI18n()
  return (
    <>
      <Credential label={t('clients.client_secret')} value={secret} />
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
