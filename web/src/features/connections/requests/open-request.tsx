import type { OpenRequest } from '@vrata/contract/connections'
import { parseServerTime } from '../../../lib/format/time.ts'
import { useI18n } from '../../../lib/i18n.tsx'
import { useCountdown } from '../../../lib/use-countdown.ts'
import { AlertIcon } from '../../../ui/icons/icons.tsx'

/** Binding message and time left of a backchannel authentication request (OpenID Connect CIBA Core §7.1). */
export function OpenRequestFacts({ app, request }: { app: string; request: OpenRequest }) {
  const { t } = useI18n()
  return (
    <>
      {request.binding_message && (
        <p className="mt-6 text-center font-medium">
          {t('app-requests.message', { app })}
          <span className="mt-1 block font-mono text-head break-words">{request.binding_message}</span>
        </p>
      )}
      <p className="mt-4 flex gap-3 rounded-control bg-accent-soft px-4 py-3 text-on-accent">
        <AlertIcon className="mt-0.5" />
        <span className="min-w-0">{t('app-requests.warning', { app })}</span>
      </p>
      <p className="mt-3 text-center text-small text-muted tabular-nums">
        {t('app-requests.time_left', { time: useTimeLeft(request.expires_at) })}
      </p>
    </>
  )
}

/** Minutes and seconds until a time, such as `9:41`; not announced, because it changes every second. */
function useTimeLeft(until: string): string {
  const seconds = useCountdown(parseServerTime(until).getTime())
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
