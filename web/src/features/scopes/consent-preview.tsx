import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
import { LOCALES, type Locale } from '@vrata/contract/locales'
import type { DescribedScope } from '@vrata/contract/scopes'
import { useState } from 'react'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { AlertIcon } from '../../ui/icons/icons.tsx'
import { scopeIcon } from '../../ui/icons/scope-icon.ts'
import { Picture } from '../../ui/identity/picture.tsx'
import { Doorway } from '../../ui/layout/doorway.tsx'
import { LanguageSelect } from '../../ui/navigation/language-select.tsx'
import { requestedScopes } from './queries.ts'
import { useLanguageName } from './use-language-name.ts'

type ConsentPreviewProps = {
  app: Pick<ClientInfo, 'client_id' | 'name' | 'icon' | 'scopes'>
  /** Host of the redirect URI, if known. */
  host: string | undefined
  /** Whether the preview changes while typing. */
  live: boolean
}

/** Preview of the consent screen; its buttons are inert. */
export function ConsentPreview({ app, host, live }: ConsentPreviewProps) {
  const { t, locale } = useI18n()
  const nameOf = useLanguageName()
  const [chosen, setChosen] = useState<Locale>()
  const language = chosen ?? locale
  const scopes = useQuery({
    ...requestedScopes(useAppContext(), app, language),
    placeholderData: keepPreviousData,
  }).data
  return (
    <Doorway
      variant="page"
      head={
        <>
          <h2 className="text-base">{t('clients.preview.title')}</h2>
          {live && <p className="text-small opacity-80">{t('clients.preview.text')}</p>}
        </>
      }
    >
      <Picture kind="app" url={app.icon} name={app.name} size={56} />
      <p className="mt-4 max-w-full text-lead font-semibold text-balance">
        {t('connections.title', { app: app.name })}
      </p>
      {host && <p className="mt-1 max-w-full text-small wrap-anywhere text-muted">{t('connections.host', { host })}</p>}
      <LanguageSelect
        className="mt-2"
        label={t('scopes.preview.language')}
        value={language}
        options={LOCALES.map((value) => ({ value, label: nameOf(value) }))}
        onChange={(value) => setChosen(value as Locale)}
      />
      <ul lang={language} className="mt-2 w-full divide-y divide-line border-y border-line text-left">
        {scopes?.map((scope) => (
          <PreviewedScope key={scope.key} scope={scope} />
        ))}
      </ul>
      <div aria-hidden="true" className="mt-4 grid w-full grid-cols-2 gap-2 text-small font-semibold">
        <span className="rounded-row border border-line py-2">{t('ui.cancel')}</span>
        <span className="rounded-row bg-brand py-2 text-on-brand">{t('connections.allow')}</span>
      </div>
    </Doorway>
  )
}

function PreviewedScope({ scope: { key, title, sensitive } }: { scope: DescribedScope }) {
  const { t } = useI18n()
  const Sign = sensitive ? AlertIcon : scopeIcon(key)
  return (
    <li className="flex items-center gap-2.5 py-2 text-small">
      <span className="flex size-6 shrink-0 items-center justify-center rounded-full bg-brand-soft text-brand-strong">
        <Sign size={14} />
      </span>
      <span className="min-w-0">
        {title}
        {sensitive && <span className="block text-danger">{t('connections.sensitive')}</span>}
      </span>
    </li>
  )
}
