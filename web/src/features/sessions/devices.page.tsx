import { useQuery } from '@tanstack/react-query'
import { sessions } from '@vrata/contract'
import { paths } from '@vrata/contract/page-addresses'
import type { SessionInfo } from '@vrata/contract/sessions'
import { useState } from 'react'
import { requestIdOf } from '../../lib/api/call-query.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { AlertIcon } from '../../ui/icons/icons.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { TextLink } from '../../ui/navigation/link.tsx'
import { DeviceCard } from './device-card.tsx'
import { devicesOf } from './devices.ts'
import { sessionList } from './queries.ts'

/** Signed-in devices. */
export function DevicesPage() {
  const { t } = useI18n()
  const { data, error, refetch } = useQuery(sessionList(useAppContext()))
  const text = data ? t('security.devices.text', { count: devicesOf(data).length }) : t('security.devices.intro')
  return (
    <>
      <PageHead title={t('menu.title.devices')} text={text} />
      {data ? (
        <Devices sessions={data} />
      ) : (
        <Card>
          {error ? (
            <ErrorState
              title={t('security.devices.failed')}
              text={t('security.failed_text')}
              onRetry={() => void refetch()}
              code={requestIdOf(error)}
            />
          ) : (
            <SkeletonRows label={t('security.devices.loading')} />
          )}
        </Card>
      )}
    </>
  )
}

function Devices({ sessions: open }: { sessions: readonly SessionInfo[] }) {
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
        <ul className="divide-y divide-line" aria-label={t('menu.title.devices')}>
          {devicesOf(open).map((device) => (
            <DeviceCard key={device.key} device={device} onFailed={setFailed} />
          ))}
        </ul>
      </Card>
      {open.length > 1 ? (
        <>
          <SignOutElsewhere />
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

/** Confirmed first, because it cannot be undone. */
function SignOutElsewhere() {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()

  function signOut() {
    return showDialog({
      title: t('security.devices.elsewhere_title'),
      message: t('security.devices.elsewhere_ask'),
      buttons: [{ label: t('ui.cancel') }, { label: t('security.devices.elsewhere') }],
      danger: true,
      async onSubmit() {
        const answer = await context.api(sessions.logoutAll)
        if (!answer.ok) return formErrors(answer)
        toast(t('security.devices.elsewhere_done'))
        await context.queries.invalidateQueries({ queryKey: sessionList(context).queryKey })
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
