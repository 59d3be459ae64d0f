import { account } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { loadUser, setUser } from '../../lib/session.ts'
import { useCall } from '../../lib/use-call.ts'
import { useWires } from '../../lib/wires.tsx'
import { Button } from '../../ui/button.tsx'
import { ClockIcon } from '../../ui/inner-icons.tsx'
import { toast } from '../../ui/toast.ts'

/** An address that waits for its link to be opened: the link again, or the old address kept. */
export function PendingEmail({ user }: { user: UserInfo }) {
  const { t } = useI18n()
  const wires = useWires()
  const { sentence } = useRefusal()
  const resend = useCall(account.resendVerification)
  const keep = useCall(account.updateAccount)
  const [message, setMessage] = useState<string>()
  const email = user.pending_email ?? user.email

  async function sendAgain() {
    setMessage(undefined)
    const answer = await resend.run({})
    if (answer.ok) return toast(t('account.pending.resent', { email }))
    if (answer.problem.code === 'already_confirmed') return void (await loadUser(wires))
    setMessage(sentence(answer))
  }

  async function keepOld() {
    setMessage(undefined)
    const answer = await keep.run({ pending_email: null })
    if (!answer.ok) return setMessage(sentence(answer))
    setUser(wires, answer.data)
    toast(t('account.pending.kept', { email: user.email }))
  }

  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 bg-lamp-soft px-5 py-3.5 text-on-lamp sm:px-6">
      <ClockIcon />
      <div className="min-w-0 grow basis-56">
        <p className="font-medium">{t('account.pending', { email })}</p>
        <p className="text-small">{t('account.pending.text')}</p>
        <p role="alert" className="font-medium text-danger empty:hidden">
          {message}
        </p>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button size="small" busy={resend.busy} onClick={() => void sendAgain()}>
          {t('account.pending.resend')}
        </Button>
        {user.pending_email && (
          <Button size="small" busy={keep.busy} onClick={() => void keepOld()}>
            {t('account.pending.keep')}
          </Button>
        )}
      </div>
    </div>
  )
}
