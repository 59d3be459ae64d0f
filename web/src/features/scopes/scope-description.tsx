import type { DescribedScope } from '@vrata/contract/scopes'
import { useI18n } from '../../lib/i18n.tsx'

/** Secondary lines of a scope: description, key, app, and a note when it is not translated. */
export function ScopeDescription({ scope, own = false }: { scope: DescribedScope; own?: boolean }) {
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
