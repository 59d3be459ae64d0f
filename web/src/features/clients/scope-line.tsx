import type { ShownScope } from '@vrata/contract/scopes'
import { useI18n } from '../../lib/i18n.tsx'

/** The quieter lines below a scope's title: what it means, its key, whose it is, and whether people read it in this language. */
export function ScopeLine({ scope, own = false }: { scope: ShownScope; own?: boolean }) {
  const { t, locale } = useI18n()
  const { key, title, description, client, language } = scope
  return (
    <>
      {description && <span className="block">{description}</span>}
      <span className="block">
        {title !== key && <code className="font-mono text-small break-all">{key}</code>}
        {client && !own && <span> · {t('scopes.of_app', { app: client.name })}</span>}
        {language !== locale && <span> · {t('scopes.untranslated')}</span>}
      </span>
    </>
  )
}
