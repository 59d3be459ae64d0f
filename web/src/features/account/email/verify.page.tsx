import { useQuery } from '@tanstack/react-query'
import { account, security } from '@vrata/contract'
import { paths } from '@vrata/contract/page-addresses'
import { useEffect, useState } from 'react'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { parseServerTime } from '../../../lib/format/time.ts'
import { useI18n } from '../../../lib/i18n.tsx'
import { acceptUser, loadUser, setUser, useUser } from '../../../lib/session.ts'
import { useContinue } from '../../../lib/use-continue.ts'
import { useCountdown } from '../../../lib/use-countdown.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { EmailAddress } from '../../../ui/content/email-address.tsx'
import { showDialog } from '../../../ui/dialog/show-dialog.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { Form, Submit } from '../../../ui/form/form.tsx'
import { PublicCard } from '../../../ui/layout/public-card.tsx'

/** Milliseconds between checks, and before the mail can be resent. */
const POLL_INTERVAL = 4000
const RESEND_DELAY = 60_000

/** Polls until the address is confirmed on any device, then continues. */
export function VerifyPage() {
  const { t, rich } = useI18n()
  const context = useAppContext()
  const user = useUser()
  const continueTo = useContinue()
  const { formErrors } = useFormErrors()
  // The first mail was sent at registration.
  const [nextAt, setNextAt] = useState(() => parseServerTime(user.created_at).getTime() + RESEND_DELAY)
  // The clock of the browser may be behind that of the server.
  useEffect(() => setNextAt((at) => Math.min(at, Date.now() + RESEND_DELAY)), [])
  const wait = useCountdown(nextAt)
  const confirmed = user.email_verified && !user.pending_email
  const email = user.pending_email ?? user.email

  useQuery({
    queryKey: ['verify', user.id],
    queryFn: () => loadUser(context),
    enabled: !confirmed,
    refetchInterval: POLL_INTERVAL,
    gcTime: 0,
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the address is confirmed
  useEffect(() => {
    if (!confirmed) return
    toast(t('email-confirmation.verify.confirmed'))
    void continueTo(paths.home)
  }, [confirmed])

  async function check() {
    const answer = await context.api(account.getAccount)
    if (!answer.ok) return formErrors(answer)
    const found = acceptUser(context, answer.data) ? answer.data : undefined
    if (found && (!found.email_verified || found.pending_email))
      return { message: t('email-confirmation.verify.not_yet') }
  }

  async function resend() {
    const answer = await context.api(security.resendVerification)
    if (!answer.ok && answer.problem.code === 'already_confirmed') {
      await loadUser(context)
      return
    }
    setNextAt(Date.now() + (answer.ok ? RESEND_DELAY : (answer.retry_after ?? 0) * 1000))
    if (!answer.ok) return formErrors(answer)
    toast(t('email-confirmation.verify.resent'))
  }

  function changeEmail() {
    return showDialog({
      title: t('email-confirmation.other.title'),
      message: t('email-confirmation.other.text'),
      fields: [
        {
          kind: 'text',
          name: 'email',
          label: t('sign-in.email'),
          type: 'email',
          required: true,
          autoComplete: 'email',
        },
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('email-confirmation.other.do') }],
      async onSubmit({ email = '' }) {
        const answer = await context.api(account.updateAccount, { email })
        if (!answer.ok) return formErrors(answer)
        setUser(context, answer.data)
        setNextAt(Date.now() + RESEND_DELAY)
        toast(t('email-confirmation.other.sent', { email }))
      },
    })
  }

  return (
    <PublicCard
      title={t('email-confirmation.verify.title')}
      text={rich('email-confirmation.verify.text', {
        email: (
          <b className="font-semibold text-ink">
            <EmailAddress>{email}</EmailAddress>
          </b>
        ),
      })}
    >
      <Form onSubmit={check}>
        <Submit wide>{t('email-confirmation.verify.done')}</Submit>
      </Form>
      <p className="mt-6 text-muted">{t('email-confirmation.verify.hint')}</p>
      {!user.email_verified && <p className="mt-2 text-small text-muted">{t('email-confirmation.verify.deletion')}</p>}
      <div className="mt-3 flex flex-col gap-3">
        <Form onSubmit={resend}>
          <Submit look="quiet" wide aria-disabled={wait > 0}>
            {wait > 0
              ? t('email-confirmation.verify.resend_in', { seconds: wait })
              : t('email-confirmation.verify.resend')}
          </Submit>
        </Form>
        {/* The address of an account can be changed once the sign-in is complete. */}
        {user.next_step === null && (
          <Button wide onClick={changeEmail}>
            {t('email-confirmation.verify.other')}
          </Button>
        )}
        <ButtonLink look="ghost" wide href={paths.home}>
          {t('email-confirmation.verify.later')}
        </ButtonLink>
      </div>
    </PublicCard>
  )
}
