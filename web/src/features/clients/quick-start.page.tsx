import { useQuery } from '@tanstack/react-query'
import type { QuickStart } from '@vrata/contract/quick-start'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { Code } from '../../ui/code.tsx'
import { TextLink } from '../../ui/link.tsx'
import { quickStarts } from './data.ts'
import { FirstSignIn } from './first-sign-in.tsx'
import { MissingAddresses } from './missing-addresses.tsx'
import { PlatformField } from './platform-field.tsx'
import { useClient } from './use-client.ts'
import { Waiting } from './waiting.tsx'

/** A program for the reader's platform, ready to copy, and the light that goes on when somebody has signed in. */
export function QuickStartPage() {
  const { t } = useI18n()
  const app = useClient()
  const query = useQuery(quickStarts(useWires(), app.client_id))
  const [key, setKey] = useState<string>()
  const shown = query.data?.find((one) => one.key === key) ?? query.data?.[0]
  if (!query.data || !shown) return <Waiting title={t('clients.tab.quick_start')} query={query} />
  return (
    <div className="max-w-240 space-y-6">
      {app.type !== 'service' && <FirstSignIn id={app.client_id} />}
      <PlatformField platforms={query.data} value={shown.key} onChange={setKey} />
      <MissingAddresses id={app.client_id} shown={shown} />
      <Steps key={shown.key} shown={shown} withSecret={app.secret_hint !== null} />
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
