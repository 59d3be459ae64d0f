import { useQuery } from '@tanstack/react-query'
import { account } from '@vrata/contract'
import { useEffect, useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { loadUser, setUser, useUser } from '../../lib/session.ts'
import { serverTime } from '../../lib/time.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { ask } from '../../ui/ask.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { PublicCard } from '../../ui/public-card.tsx'
import { toast } from '../../ui/toast.ts'
import { useGoOn } from './go-on.ts'
import { useCountdown } from './use-countdown.ts'

/** In milliseconds: how often the page looks whether the link was opened, and how long a mail is given to arrive. */
const LOOK_EVERY = 4000
const GIVE_IT = 60_000

/** Waits for the link in the mail to be opened, on this device or another, and moves on by itself. */
export function VerifyPage() {
  const { t, rich } = useI18n()
  const wires = useWires()
  const user = useUser()
  const goOn = useGoOn()
  const { refusal } = useRefusal()
  // The first mail went out with the account.
  const [nextAt, setNextAt] = useState(() => serverTime(user.created_at).getTime() + GIVE_IT)
  const wait = useCountdown(nextAt)
  const confirmed = user.email_verified && !user.pending_email
  const email = user.pending_email ?? user.email

  useQuery({
    queryKey: ['verify', user.id],
    queryFn: () => loadUser(wires),
    enabled: !confirmed,
    refetchInterval: LOOK_EVERY,
    gcTime: 0,
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the change of this one fact may move the page on
  useEffect(() => {
    if (!confirmed) return
    toast(t('confirm.verify.confirmed'))
    void goOn(paths.home)
  }, [confirmed])

  async function look() {
    const found = await loadUser(wires)
    if (found && (!found.email_verified || found.pending_email)) return { message: t('confirm.verify.not_yet') }
  }

  async function resend() {
    const answer = await wires.api(account.resendVerification)
    if (!answer.ok && answer.problem.code === 'already_confirmed') {
      await loadUser(wires)
      return
    }
    setNextAt(Date.now() + (answer.ok ? GIVE_IT : (answer.retry_after ?? 0) * 1000))
    if (!answer.ok) return refusal(answer)
    toast(t('confirm.verify.resent'))
  }

  function askForAnother() {
    return ask({
      title: t('confirm.other.title'),
      message: t('confirm.other.text'),
      fields: [
        { kind: 'text', name: 'email', label: t('auth.email'), type: 'email', required: true, autoComplete: 'email' },
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('confirm.other.do') }],
      async send({ email = '' }) {
        const answer = await wires.api(account.updateAccount, { email })
        if (!answer.ok && answer.problem.code === 'email_exists')
          return { fields: { email: t('problems.field.taken') } }
        if (!answer.ok) return refusal(answer)
        setUser(wires, answer.data)
        setNextAt(Date.now() + GIVE_IT)
        toast(t('confirm.other.sent', { email }))
      },
    })
  }

  return (
    <PublicCard
      title={t('confirm.verify.title')}
      text={rich('confirm.verify.text', { email: <Address>{email}</Address> })}
    >
      <Form onSubmit={look}>
        <Submit wide>{t('confirm.verify.done')}</Submit>
      </Form>
      <p className="mt-6 text-muted">{t('confirm.verify.hint')}</p>
      <div className="mt-3 flex flex-col gap-3">
        <Form onSubmit={resend}>
          <Submit look="quiet" wide aria-disabled={wait > 0}>
            {wait > 0 ? t('confirm.verify.resend_in', { seconds: wait }) : t('confirm.verify.resend')}
          </Submit>
        </Form>
        <Button wide onClick={askForAnother}>
          {t('confirm.verify.other')}
        </Button>
        <ButtonLink look="ghost" wide href={paths.home}>
          {t('confirm.verify.later')}
        </ButtonLink>
      </div>
    </PublicCard>
  )
}

/** An address that is too long for its line breaks after the @. */
function Address({ children }: { children: string }) {
  const [name, host] = children.split('@')
  return (
    <b className="font-semibold text-ink">
      {name}@<wbr />
      {host}
    </b>
  )
}
