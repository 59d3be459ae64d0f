import type { ReactNode } from 'react'
import { useI18n } from '../../../lib/i18n.tsx'
import { useCountdown } from '../../../lib/use-countdown.ts'
import { Button } from '../../../ui/button.tsx'
import { Doorway } from '../../../ui/layout/doorway.tsx'
import { type QrSignInState, useQrSignIn } from './use-qr-sign-in.ts'

/** QR code on the login page. Shows `waiting` until there is a code, `off` when the operator has disabled QR codes. */
export function QrPanel({ waiting, off }: { waiting: ReactNode; off: ReactNode }) {
  const { t } = useI18n()
  const { shown, draw } = useQrSignIn()
  if (shown.is === 'loading') return waiting
  if (shown.is === 'off') return off
  return (
    <Doorway head={<h2 className="text-title text-balance">{t('qr-sign-in.panel.title')}</h2>}>
      <div role="status" className="flex grow flex-col items-center justify-center gap-4">
        {'code' in shown ? (
          shown.is === 'pending' ? (
            <Code shown={shown} />
          ) : (
            <>
              <p className="text-head text-balance">{t('qr-sign-in.panel.seen')}</p>
              <p className="rounded-card bg-surface px-6 py-3 font-mono text-display tracking-[0.2em] text-ink">
                {shown.match}
              </p>
              <p className="text-balance">{t('qr-sign-in.panel.seen_text')}</p>
            </>
          )
        ) : (
          <>
            <p className="text-head text-balance">{t(`qr-sign-in.panel.${PHRASES[shown.is]}`)}</p>
            <p className="text-balance">{t(`qr-sign-in.panel.${PHRASES[shown.is]}_text`)}</p>
            <Button onClick={draw}>{t('qr-sign-in.panel.again')}</Button>
          </>
        )}
      </div>
    </Doorway>
  )
}

const PHRASES = { denied: 'denied', paused: 'paused', failed: 'failed' } as const

function Code({ shown }: { shown: Extract<QrSignInState, { code: string }> }) {
  const { t } = useI18n()
  return (
    <>
      <img src={shown.picture} alt={t('qr-sign-in.panel.code')} width={196} height={196} className="rounded-card" />
      <p className="text-balance">{t('qr-sign-in.panel.text')}</p>
      <SecondsLeft until={shown.until} />
    </>
  )
}

/** Hidden from screen readers, which would announce every second. */
function SecondsLeft({ until }: { until: number }) {
  const { t } = useI18n()
  const seconds = useCountdown(until)
  return (
    <p aria-hidden="true" className="text-small">
      {t('qr-sign-in.panel.left', { seconds })}
    </p>
  )
}
