import type { RequestingDevice } from '@vrata/contract/connections'
import { showUserCode } from '@vrata/contract/user-code'
import { formatTime } from '../../../lib/format/time.ts'
import { useI18n } from '../../../lib/i18n.tsx'
import { Facts } from '../../../ui/content/facts.tsx'
import { Time } from '../../../ui/content/time.tsx'
import { AlertIcon } from '../../../ui/icons/icons.tsx'

/** Facts about the requesting device with a warning: others may have sent the code (RFC 8628 §5.4). */
export function RequestingDeviceFacts({ device, code }: { device: RequestingDevice; code: string }) {
  const { t, format } = useI18n()
  const facts = [
    [t('device.what'), [device.browser, device.os].filter(Boolean).join(', ')],
    [t('device.place'), device.location],
    [t('device.address'), device.ip],
    [t('device.when'), <Time key="when" at={device.asked_at} {...formatTime(device.asked_at, format)} />],
  ] as const
  return (
    <>
      <p className="mt-6 text-center font-medium">
        {t('device.same')}
        <span className="mt-1 block font-mono text-head tracking-[0.2em]">{showUserCode(code)}</span>
      </p>
      <p className="mt-4 flex gap-3 rounded-control bg-accent-soft px-4 py-3 text-on-accent">
        <AlertIcon className="mt-0.5" />
        <span className="min-w-0">{t('device.warning')}</span>
      </p>
      <Facts facts={facts} className="mt-4" />
    </>
  )
}
