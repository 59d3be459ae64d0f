import { useQuery } from '@tanstack/react-query'
import { auth } from '@vrata/contract'
import type { SessionInfo } from '@vrata/contract/auth'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { CallFailed } from '../../lib/use-call.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { ask } from '../../ui/ask.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { TextLink } from '../../ui/link.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { sessionList } from './data.ts'
import { DeviceCard } from './device-card.tsx'
import { devicesOf } from './devices.ts'

/** Where the person is signed in, and the way out of each place. */
export function DevicesPage() {
  const { t } = useI18n()
  const { data, error, refetch } = useQuery(sessionList(useWires()))
  const text = data ? t('security.devices.text', { count: devicesOf(data).length }) : t('security.devices.intro')
  return (
    <>
      <PageHead title={t('ui.title.devices')} text={text} />
      {data ? (
        <Devices sessions={data} />
      ) : (
        <Card>
          {error ? (
            <ErrorState
              title={t('security.devices.failed')}
              text={t('security.failed_text')}
              onRetry={() => void refetch()}
              code={error instanceof CallFailed ? error.problem.request_id : undefined}
            />
          ) : (
            <SkeletonRows label={t('security.devices.loading')} />
          )}
        </Card>
      )}
    </>
  )
}

function Devices({ sessions }: { sessions: readonly SessionInfo[] }) {
  const { t } = useI18n()
  const [failed, setFailed] = useState<string>()
  return (
    <>
      <div role="alert" className="empty:hidden">
        {failed && (
          <p className="flex gap-3 rounded-control bg-danger-soft px-4 py-3 font-medium">
            <AlertIcon className="mt-0.5 text-danger" />
            <span className="min-w-0">{failed}</span>
          </p>
        )}
      </div>
      <Card>
        <ul className="divide-y divide-line" aria-label={t('ui.title.devices')}>
          {devicesOf(sessions).map((device) => (
            <DeviceCard
              key={device.unknown ? device.sessions[0]?.id : `${device.os} ${device.browser}`}
              device={device}
              onFailed={setFailed}
            />
          ))}
        </ul>
      </Card>
      {sessions.length > 1 ? (
        <>
          <Elsewhere />
          <p className="text-muted">
            {t('security.devices.not_you')}{' '}
            <TextLink href={paths.securityPassword}>{t('security.password.title')}</TextLink>
          </p>
        </>
      ) : (
        <p className="text-muted">{t('security.devices.only')}</p>
      )}
    </>
  )
}

/** Asked first: nothing brings the other devices back. */
function Elsewhere() {
  const { t } = useI18n()
  const wires = useWires()
  const { refusal } = useRefusal()

  function signOut() {
    return ask({
      title: t('security.devices.elsewhere_title'),
      message: t('security.devices.elsewhere_ask'),
      buttons: [{ label: t('ui.cancel') }, { label: t('security.devices.elsewhere') }],
      danger: true,
      async send() {
        const answer = await wires.api(auth.logoutAll)
        if (!answer.ok) return refusal(answer)
        toast(t('security.devices.elsewhere_done'))
        await wires.queries.invalidateQueries({ queryKey: sessionList(wires).queryKey })
      },
    })
  }

  return (
    <Card>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4 sm:px-6">
        <p className="min-w-0 grow basis-56 text-muted">{t('security.devices.elsewhere_text')}</p>
        <Button size="small" onClick={() => void signOut()}>
          {t('security.devices.elsewhere')}
        </Button>
      </div>
    </Card>
  )
}
