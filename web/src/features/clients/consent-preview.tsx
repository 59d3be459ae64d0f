import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ClientInfo } from '@vrata/contract/clients'
import { LOCALES, type Locale } from '@vrata/contract/locales'
import type { ShownScope } from '@vrata/contract/scopes'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useWires } from '../../lib/wires.tsx'
import { Doorway } from '../../ui/doorway.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { LanguageSelect } from '../../ui/language-select.tsx'
import { Picture } from '../../ui/picture.tsx'
import { scopeIcon } from '../../ui/scope-icon.ts'
import { askedScopes } from './scope-data.ts'
import { useLanguageName } from './use-language-name.ts'

type ConsentPreviewProps = {
  app: Pick<ClientInfo, 'client_id' | 'name' | 'icon' | 'scopes'>
  /** Where people will be led, as far as it is known. */
  host: string | undefined
  /** Whether what it shows changes as the reader types. */
  live: boolean
}

/** The consent screen in a doorway, as people will see it; its buttons are drawn and cannot be pressed. */
export function ConsentPreview({ app, host, live }: ConsentPreviewProps) {
  const { t, locale } = useI18n()
  const nameOf = useLanguageName()
  const [chosen, setChosen] = useState<Locale>()
  const language = chosen ?? locale
  const scopes = useQuery({ ...askedScopes(useWires(), app, language), placeholderData: keepPreviousData }).data
  return (
    <Doorway
      light="paper"
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
      {host && <p className="mt-1 text-small text-muted">{t('connections.host', { host })}</p>}
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

function PreviewedScope({ scope: { key, title, sensitive } }: { scope: ShownScope }) {
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
