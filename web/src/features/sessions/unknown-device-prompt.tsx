import { useRouter } from '@tanstack/react-router'
import { sessions } from '@vrata/contract'
import { paths } from '@vrata/contract/page-addresses'
import { type MouseEvent, useState } from 'react'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { notify, useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import type { Device } from './devices.ts'
import { sessionList } from './queries.ts'
import { useEndSessions } from './use-end-sessions.ts'

type Props = { device: Device; name: string; onFailed: (sentence: string | undefined) => void }

/** Asks whether a new device is known. "No" signs it out and leads to the password. */
export function UnknownDevicePrompt({ device, name, onFailed }: Props) {
  const { t } = useI18n()
  const context = useAppContext()
  const router = useRouter()
  const { errorMessage } = useFormErrors()
  const [confirming, setConfirming] = useState(false)
  const { end, busy } = useEndSessions(async () => {
    notify(context.notices, t('security.devices.unknown_out', { device: name }))
    await router.navigate({ href: paths.securityPassword })
  }, onFailed)

  async function confirmDevice({ currentTarget: button }: MouseEvent<HTMLElement>) {
    let failed = false
    setConfirming(true)
    onFailed(undefined)
    for (const { id } of device.sessions) {
      const answer = await context.api(sessions.recognizeSession, { id })
      if (answer.ok || answer.problem.code === 'not_found') continue
      failed = true
      onFailed(errorMessage(answer))
    }
    // The question goes away; the device stays.
    if (!failed && document.activeElement === button) button.closest('li')?.querySelector('summary')?.focus()
    await context.queries.invalidateQueries({ queryKey: sessionList(context).queryKey })
    setConfirming(false)
  }

  return (
    <fieldset className="mt-2 flex min-w-0 flex-wrap items-center gap-x-4 gap-y-3 rounded-control bg-accent-soft px-[16px] py-3">
      <legend className="sr-only">{name}</legend>
      <p className="min-w-0 grow basis-48 font-medium text-on-accent">{t('security.devices.known_ask')}</p>
      <span className="flex flex-wrap gap-3">
        <Button size="small" busy={confirming} onClick={(event) => void confirmDevice(event)}>
          {t('security.devices.known_yes')}
        </Button>
        <Button size="small" busy={busy} onClick={() => void end(device.sessions)}>
          {t('security.devices.known_no')}
        </Button>
      </span>
    </fieldset>
  )
}
