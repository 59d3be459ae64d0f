import { useQuery } from '@tanstack/react-query'
import { paths } from '@vrata/contract/page-addresses'
import type { QuickStart } from '@vrata/contract/quick-start'
import { useState } from 'react'
import { useAppContext } from '../../lib/app-context.tsx'
import { LoadingCard } from '../../lib/clients/loading-card.tsx'
import { useClient } from '../../lib/clients/use-client.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { Code } from '../../ui/content/code.tsx'
import { TextLink } from '../../ui/navigation/link.tsx'
import { FirstSignIn } from './first-sign-in.tsx'
import { MissingAddresses } from './missing-addresses.tsx'
import { PlatformField } from './platform-field.tsx'
import { quickStarts } from './queries.ts'

/** Sample program for the chosen platform and the state of the first sign-in. */
export function QuickStartPage() {
  const { t } = useI18n()
  const app = useClient()
  const query = useQuery(quickStarts(useAppContext(), app.client_id))
  const [key, setKey] = useState<string>()
  const shown = query.data?.find((one) => one.key === key) ?? query.data?.[0]
  if (!query.data || !shown) return <LoadingCard title={t('clients.tab.quick_start')} query={query} />
  return (
    <div className="max-w-240 space-y-6">
      {app.type !== 'service' && <FirstSignIn id={app.client_id} />}
      <PlatformField platforms={query.data} value={shown.key} onChange={setKey} />
      <MissingAddresses id={app.client_id} shown={shown} />
      <Steps key={shown.key} shown={shown} withSecret={app.secret_hint !== null} />
      {app.type !== 'service' && <AcceptedAlgorithms shown={shown} />}
      <p className="text-muted">
        {t('clients.quick.more')} <TextLink href={paths.docs}>{t('ui.title.docs')}</TextLink>
      </p>
    </div>
  )
}

function Steps({ shown, withSecret }: { shown: QuickStart; withSecret: boolean }) {
  const { t } = useI18n()
  const { developer_id } = useUser()
  const app = useClient()
  return (
    <ol className="space-y-7">
      {shown.install && (
        <Step title={t('clients.quick.install')}>
          <Code text={shown.install} language="sh" title={t('clients.quick.terminal')} />
        </Step>
      )}
      <Step title={t('clients.quick.write', { count: shown.files.length })}>
        {shown.files.map(({ name, language, code }) => (
          <Code key={name} text={code} language={language} title={name} />
        ))}
      </Step>
      <Step title={t('clients.quick.run')}>
        {withSecret && (
          <p className="text-muted">
            {t('clients.quick.secret')}{' '}
            <TextLink href={paths.client(developer_id ?? '', app.client_id, 'development')}>
              {t('clients.tab.development')}
            </TextLink>
          </p>
        )}
        <Code text={shown.run} language="sh" title={`${t('clients.quick.terminal')}: ${shown.title}`} />
      </Step>
      {shown.open && (
        <Step title={t('clients.quick.open')}>
          <p>
            <TextLink href={shown.open} target="_blank" rel="noreferrer">
              {shown.open}
            </TextLink>
          </p>
        </Step>
      )}
    </ol>
  )
}

/** Signature algorithms of ID tokens that the program accepts. */
function AcceptedAlgorithms({ shown: { id_token_algorithms: names } }: { shown: QuickStart }) {
  const { t, format } = useI18n()
  return (
    <p className="text-muted">
      {names.length > 0
        ? t('clients.quick.algorithms', { names: format.list(names) })
        : t('clients.quick.algorithms_any')}
    </p>
  )
}

function Step({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <li className="space-y-3 [counter-increment:step]">
      <h2 className="text-lead font-semibold before:mr-2 before:text-brand before:content-[counter(step)_'.']">
        {title}
      </h2>
      {children}
    </li>
  )
}
