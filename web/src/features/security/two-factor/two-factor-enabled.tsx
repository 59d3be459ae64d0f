import { security } from '@vrata/contract'
import { otpOrRecoveryCode } from '@vrata/contract/otp-or-recovery-code'
import { useState } from 'react'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { readAgain } from '../../../lib/api/read-again.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { parseServerTime } from '../../../lib/format/time.ts'
import { useI18n } from '../../../lib/i18n.tsx'
import { loadUser, useUser } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { showDialog } from '../../../ui/dialog/show-dialog.ts'
import { Badge } from '../../../ui/feedback/badge.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { Card, CardBody, CardHead } from '../../../ui/layout/card.tsx'
import { Row, Rows } from '../../../ui/layout/row.tsx'
import { SaveRecoveryCodes } from './save-recovery-codes.tsx'

/** State of two-factor authentication, recovery codes, and turning it off. */
export function TwoFactorEnabled() {
  const { t, format } = useI18n()
  const context = useAppContext()
  const { otp_enabled_at, recovery_codes_left } = useUser()
  const { formErrors } = useFormErrors()
  const [codes, setCodes] = useState<string[]>()

  function renew() {
    return showDialog({
      title: t('security.codes.renew_title'),
      message: t('security.codes.renew_text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('security.codes.renew_do') }],
      async onSubmit() {
        const answer = await context.api(security.renewRecoveryCodes)
        if (!answer.ok) return formErrors(answer)
        setCodes(answer.data.recovery_codes)
        await readAgain(loadUser(context))
      },
    })
  }

  function turnOff() {
    return showDialog({
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
      async onSubmit({ code = '' }) {
        const answer = await context.api(security.disableOtp, otpOrRecoveryCode(code))
        if (!answer.ok) return formErrors(answer, { invalid_otp: 'code', invalid_request: 'code' })
        toast(t('security.otp.disabled'))
        await readAgain(loadUser(context))
      },
    })
  }

  return (
    <Card aria-labelledby="two-factor">
      <CardHead
        id="two-factor"
        title={t('security.otp.title')}
        text={
          otp_enabled_at ? t('security.otp.since', { when: format.date(parseServerTime(otp_enabled_at)) }) : undefined
        }
        action={<Badge look="on">{t('security.otp.on')}</Badge>}
      />
      {codes ? (
        <CardBody className="border-t border-line">
          <SaveRecoveryCodes codes={codes} onSaved={() => setCodes(undefined)} />
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
