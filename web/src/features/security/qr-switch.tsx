import { account } from '@vrata/contract'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { setUser, useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { Card } from '../../ui/card.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.ts'

/** Whether a phone of this person may sign other browsers in. Allowing it again asks for a proof (decision 0131). */
export function QrSwitch() {
  const { t } = useI18n()
  const wires = useWires()
  const { allow_qr_sign_in } = useUser()
  const { sentence } = useRefusal()
  const [message, setMessage] = useState<string>()

  async function change(on: boolean) {
    setMessage(undefined)
    const answer = await wires.api(account.updateAccount, { allow_qr_sign_in: on })
    if (!answer.ok) return setMessage(sentence(answer))
    setUser(wires, answer.data)
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
      <div role="alert" className="empty:hidden">
        {message && <p className="bg-danger-soft px-5 py-3 font-medium sm:px-6">{message}</p>}
      </div>
    </Card>
  )
}
