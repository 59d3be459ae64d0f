import type { AskingDevice } from '@vrata/contract/connections'
import { showUserCode } from '@vrata/contract/user-code'
import { useI18n } from '../../lib/i18n.tsx'
import { shownTime } from '../../lib/time.ts'
import { AlertIcon } from '../../ui/icons.tsx'
import { Time } from '../../ui/time.tsx'

/** Which device would be let in, and when to say no. Others may have sent the code (RFC 8628 §5.4). */
export function AskingDeviceFacts({ device, code }: { device: AskingDevice; code: string }) {
  const { t, format } = useI18n()
  const facts = [
    [t('device.what'), [device.browser, device.os].filter(Boolean).join(', ')],
    [t('device.place'), device.location],
    [t('device.address'), device.ip],
    [t('device.when'), <Time key="when" at={device.asked_at} {...shownTime(device.asked_at, format)} />],
  ] as const
  return (
    <>
      <p className="mt-6 text-center font-medium">
        {t('device.same')}
        <span className="mt-1 block font-mono text-head tracking-[0.2em]">{showUserCode(code)}</span>
      </p>
      <p className="mt-4 flex gap-3 rounded-control bg-lamp-soft px-4 py-3 text-on-lamp">
        <AlertIcon className="mt-0.5" />
        <span className="min-w-0">{t('device.warning')}</span>
      </p>
      <dl className="mt-4 divide-y divide-line border-y border-line">
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name} className="flex gap-4 py-2.5">
                <dt className="w-28 shrink-0 text-muted">{name}</dt>
                <dd className="min-w-0 grow font-medium break-words">{value}</dd>
              </div>
            ),
        )}
      </dl>
    </>
  )
}
