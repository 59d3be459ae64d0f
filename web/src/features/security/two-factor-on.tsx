import { security } from '@vrata/contract'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { proofOf } from '../../lib/proof-of.ts'
import { useRefusal } from '../../lib/refusal.ts'
import { loadUser, useUser } from '../../lib/session.ts'
import { serverTime } from '../../lib/time.ts'
import { useWires } from '../../lib/wires.tsx'
import { ask } from '../../ui/ask.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card, CardBody, CardHead } from '../../ui/card.tsx'
import { Row, Rows } from '../../ui/row.tsx'
import { toast } from '../../ui/toast.ts'
import { SaveCodes } from './save-codes.tsx'

/** Since when it is on, what is left of the backup codes, and the quiet way to end it. */
export function TwoFactorOn() {
  const { t, format } = useI18n()
  const wires = useWires()
  const { otp_enabled_at, recovery_codes_left } = useUser()
  const { refusal } = useRefusal()
  const [codes, setCodes] = useState<string[]>()

  function renew() {
    return ask({
      title: t('security.codes.renew_title'),
      message: t('security.codes.renew_text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('security.codes.renew_do') }],
      async send() {
        const answer = await wires.api(security.renewRecoveryCodes)
        if (!answer.ok) return refusal(answer)
        setCodes(answer.data.recovery_codes)
        await loadUser(wires)
      },
    })
  }

  function turnOff() {
    return ask({
      title: t('security.otp.disable_title'),
      message: t('security.otp.disable_text'),
      fields: [
        {
          kind: 'text',
          name: 'code',
          label: t('security.otp.code_or_backup'),
          required: true,
          autoComplete: 'one-time-code',
        },
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('security.otp.disable') }],
      danger: true,
      async send({ code = '' }) {
        const answer = await wires.api(security.disableOtp, proofOf(code))
        if (!answer.ok) return refusal(answer, { invalid_otp: 'code', invalid_request: 'code' })
        toast(t('security.otp.disabled'))
        await loadUser(wires)
      },
    })
  }

  return (
    <Card aria-labelledby="two-factor">
      <CardHead
        id="two-factor"
        title={t('security.otp.title')}
        text={otp_enabled_at ? t('security.otp.since', { when: format.date(serverTime(otp_enabled_at)) }) : undefined}
        action={<Badge look="on">{t('security.otp.on')}</Badge>}
      />
      {codes ? (
        <CardBody className="border-t border-line">
          <SaveCodes codes={codes} onSaved={() => setCodes(undefined)} />
        </CardBody>
      ) : (
        <Rows>
          <Row
            key="codes"
            label={t('security.codes.title')}
            text={t('security.codes.left', { count: recovery_codes_left })}
            action={
              <Button size="small" onClick={() => void renew()}>
                {t('security.codes.renew')}
              </Button>
            }
          />
          <Row
            key="off"
            label={t('security.otp.disable_label')}
            text={t('security.otp.disable_row')}
            action={
              <Button size="small" onClick={() => void turnOff()}>
                {t('security.otp.disable')}
              </Button>
            }
          />
        </Rows>
      )}
    </Card>
  )
}
