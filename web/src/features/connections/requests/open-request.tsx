import type { OpenRequest } from '@vrata/contract/connections'
import { useEffect, useState } from 'react'
import { parseServerTime } from '../../../lib/format/time.ts'
import { useI18n } from '../../../lib/i18n.tsx'
import { AlertIcon } from '../../../ui/icons/icons.tsx'

type Props = {
  app: string
  request: OpenRequest
  /** When the answer with the request arrived, in milliseconds since 1970 by the clock of the browser. */
  receivedAt: number
}

/** Binding message and time left of a backchannel authentication request (OpenID Connect CIBA Core §7.1). */
export function OpenRequestFacts({ app, request, receivedAt }: Props) {
  const { t } = useI18n()
  return (
    <>
      {request.binding_message && (
        <p className="mt-6 text-center font-medium">
          {t('app-requests.message', { app })}
          <span className="mt-1 block font-mono text-head">{request.binding_message}</span>
        </p>
      )}
      <p className="mt-4 flex gap-3 rounded-control bg-accent-soft px-4 py-3 text-on-accent">
        <AlertIcon className="mt-0.5" />
        <span className="min-w-0">{t('app-requests.warning', { app })}</span>
      </p>
      <p className="mt-3 text-center text-small text-muted">
        {t('app-requests.time_left', { time: useTimeLeft(secondsLeft(request, receivedAt), receivedAt) })}
      </p>
    </>
  )
}

/** During an upgrade a server of the former version may answer, which does not say `expires_in`. */
function secondsLeft(
  { expires_in, expires_at }: Pick<OpenRequest, 'expires_at'> & Partial<OpenRequest>,
  receivedAt: number,
): number {
  return expires_in ?? Math.floor((parseServerTime(expires_at).getTime() - receivedAt) / 1000)
}

/**
 * Minutes and seconds that are left of those at `since`, such as `9:41`; not announced, because it changes every second. The clock of the
 * browser is compared with itself only. The first render repeats that of the server, which does not know when its answer arrives.
 */
function useTimeLeft(secondsThen: number, since: number): string {
  const [seconds, setSeconds] = useState(secondsThen)

  useEffect(() => {
    const count = () => setSeconds(Math.max(0, secondsThen - Math.floor((Date.now() - since) / 1000)))
    count()
    const timer = setInterval(count, 1000)
    return () => clearInterval(timer)
  }, [secondsThen, since])
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
