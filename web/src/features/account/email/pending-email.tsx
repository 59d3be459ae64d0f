import { account, security } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import { useBusyCall } from '../../../lib/api/use-busy-call.ts'
import { useFailureMessage } from '../../../lib/api/use-failure-message.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { loadUser, setUser } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { ClockIcon } from '../../../ui/icons/signed-in-icons.tsx'

/** Notice about an unconfirmed address: resend the link or keep the old address. */
export function PendingEmail({ user }: { user: UserInfo }) {
  const { t } = useI18n()
  const context = useAppContext()
  const resend = useBusyCall(security.resendVerification)
  const keep = useBusyCall(account.updateAccount)
  const { message, place, fail, clear } = useFailureMessage<HTMLParagraphElement>()
  const email = user.pending_email ?? user.email

  async function sendAgain() {
    clear()
    const answer = await resend.run({})
    if (answer.ok) return toast(t('account.pending.resent', { email }))
    if (answer.problem.code === 'already_confirmed') return void (await loadUser(context))
    fail(t('account.pending.resend'), answer)
  }

  async function keepOld() {
    clear()
    const answer = await keep.run({ pending_email: null })
    if (!answer.ok) return fail(t('account.pending.keep'), answer)
    setUser(context, answer.data)
    toast(t('account.pending.kept', { email: user.email }))
  }

  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 bg-accent-soft px-5 py-3.5 text-on-accent sm:px-6">
      <ClockIcon />
      <div className="min-w-0 grow basis-56">
        <p className="font-medium">{t('account.pending', { email })}</p>
        <p className="text-small">{t('account.pending.text')}</p>
        <p ref={place} role="alert" className="font-medium text-danger empty:hidden">
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
