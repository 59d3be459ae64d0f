import { account } from '@vrata/contract'
import { useFailureMessage } from '../../lib/api/use-failure-message.ts'
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
  const { message, place, fail, clear } = useFailureMessage<HTMLDivElement>()

  async function change(on: boolean) {
    clear()
    const answer = await context.api(account.updateAccount, { allow_qr_sign_in: on })
    if (!answer.ok) return fail(t('security.qr.title'), answer)
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
