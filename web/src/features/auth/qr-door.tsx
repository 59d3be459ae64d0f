import type { ReactNode } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { Doorway } from '../../ui/doorway.tsx'
import { useCountdown } from './use-countdown.ts'
import { type Shown, useQrSignIn } from './use-qr-sign-in.ts'

/** The door of the login screen as a way in: a code for the phone. Without codes the door stands there as it was. */
export function QrDoor({ door }: { door: ReactNode }) {
  const { t } = useI18n()
  const { shown, draw } = useQrSignIn()
  if (shown.is === 'waiting' || shown.is === 'off') return door
  return (
    <Doorway head={<h2 className="text-title text-balance">{t('qr.door.title')}</h2>}>
      <div role="status" className="flex grow flex-col items-center justify-center gap-4">
        {'code' in shown ? (
          shown.is === 'pending' ? (
            <Code shown={shown} />
          ) : (
            <>
              <p className="text-head text-balance">{t('qr.door.seen')}</p>
              <p className="rounded-card bg-surface px-6 py-3 font-mono text-display tracking-[0.2em] text-ink">
                {shown.match}
              </p>
              <p className="text-balance">{t('qr.door.seen_text')}</p>
            </>
          )
        ) : (
          <>
            <p className="text-head text-balance">{t(`qr.door.${NEWS[shown.is]}`)}</p>
            <p className="text-balance">{t(`qr.door.${NEWS[shown.is]}_text`)}</p>
            <Button onClick={draw}>{t('qr.door.again')}</Button>
          </>
        )}
      </div>
    </Doorway>
  )
}

const NEWS = { denied: 'denied', resting: 'rest', failed: 'failed' } as const

function Code({ shown }: { shown: Extract<Shown, { code: string }> }) {
  const { t } = useI18n()
  return (
    <>
      <img src={shown.picture} alt={t('qr.door.code')} width={196} height={196} className="rounded-card" />
      <p className="text-balance">{t('qr.door.text')}</p>
      <Left until={shown.until} />
    </>
  )
}

/** Not read aloud: a clock that ticks in somebody's ear is no help. */
function Left({ until }: { until: number }) {
  const { t } = useI18n()
  const seconds = useCountdown(until)
  return (
    <p aria-hidden="true" className="text-small tabular-nums">
      {t('qr.door.left', { seconds })}
    </p>
  )
}
