import { account } from '@vrata/contract'
import { useRef, useState } from 'react'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { setUser, useUser } from '../../lib/session.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Switch } from '../../ui/form/switch.tsx'
import { Card } from '../../ui/layout/card.tsx'

/** Allows or forbids sign-in by QR code. Allowing it asks for reauthentication (decision 0023). */
export function QrSignInSwitch() {
  const { t } = useI18n()
  const context = useAppContext()
  const { allow_qr_sign_in } = useUser()
  const { errorMessage } = useFormErrors()
  const [message, setMessage] = useState<string>()
  const place = useRef<HTMLDivElement>(null)

  async function change(on: boolean) {
    setMessage(undefined)
    const answer = await context.api(account.updateAccount, { allow_qr_sign_in: on })
    if (!answer.ok) {
      const error = errorMessage(answer)
      // The page was left meanwhile.
      if (!place.current) toast(`${t('security.qr.title')}: ${error}`)
      return setMessage(error)
    }
    setUser(context, answer.data)
    toast(t(on ? 'security.qr.on' : 'security.qr.off'))
  }

  return (
    <Card>
      <Switch
        label={t('security.qr.title')}
        text={t('security.qr.text')}
        checked={allow_qr_sign_in}
        onChange={({ target }) => void change(target.checked)}
      />
      <div ref={place} role="alert" className="empty:hidden">
        {message && <p className="bg-danger-soft px-5 py-3 font-medium sm:px-6">{message}</p>}
      </div>
    </Card>
  )
}
