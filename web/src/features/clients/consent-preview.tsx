import type { ClientInfo } from '@vrata/contract/clients'
import type { PhraseKey } from '@vrata/phrases/keys'
import { useI18n } from '../../lib/i18n.tsx'
import { Doorway } from '../../ui/doorway.tsx'
import { Picture } from '../../ui/picture.tsx'
import { scopeIcon } from '../../ui/scope-icon.ts'

type ConsentPreviewProps = {
  app: Pick<ClientInfo, 'name' | 'icon' | 'scopes'>
  /** Where people will be led, as far as it is known. */
  host: string | undefined
  /** Whether the reader can change what it shows. */
  live: boolean
}

/** The consent screen in a doorway, as people will see it; its buttons are drawn and cannot be pressed. */
export function ConsentPreview({ app, host, live }: ConsentPreviewProps) {
  const { t } = useI18n()
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
      <ul className="mt-4 w-full divide-y divide-line border-y border-line text-left">
        {app.scopes.map((key) => (
          <PreviewedScope key={key} scope={key} />
        ))}
      </ul>
      <div aria-hidden="true" className="mt-4 grid w-full grid-cols-2 gap-2 text-small font-semibold">
        <span className="rounded-row border border-line py-2">{t('ui.cancel')}</span>
        <span className="rounded-row bg-brand py-2 text-on-brand">{t('connections.allow')}</span>
      </div>
    </Doorway>
  )
}

function PreviewedScope({ scope }: { scope: string }) {
  const { t } = useI18n()
  const Sign = scopeIcon(scope)
  const key = `connections.scope.${scope}.title`
  const title = t(key as PhraseKey)
  return (
    <li className="flex items-center gap-2.5 py-2 text-small">
      <span className="flex size-6 shrink-0 items-center justify-center rounded-full bg-brand-soft text-brand-strong">
        <Sign size={14} />
      </span>
      {/* Scopes that an app defines bring their own words, which are not here. */}
      <span className="min-w-0">{title === key ? scope : title}</span>
    </li>
  )
}
