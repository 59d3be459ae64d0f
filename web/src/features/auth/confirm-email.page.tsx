import { useParams } from '@tanstack/react-router'
import { account } from '@vrata/contract'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { loadUser, useSession } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { PublicCard } from '../../ui/public-card.tsx'
import { toast } from '../../ui/toast.ts'
import { useGoOn } from './go-on.ts'
import { LinkNotValid } from './link-not-valid.tsx'

/** Confirms only when the button is pressed: scanners of mail open every link (design.md §7). */
export function ConfirmEmailPage() {
  const { t, rich } = useI18n()
  const wires = useWires()
  const { token = '' } = useParams({ strict: false })
  const { refusal } = useRefusal()
  const [outcome, setOutcome] = useState<{ email: string } | 'bad'>()

  async function confirm() {
    const answer = await wires.api(account.verifyEmail, { token })
    if (answer.ok) {
      await loadUser(wires)
      setOutcome(answer.data)
    } else if (answer.problem.code === 'invalid_token') {
      setOutcome('bad')
    } else if (answer.problem.code === 'email_exists') {
      return {
        message: rich('problems.email_exists', {
          login: (words) => (
            <a href={paths.login()} className="font-semibold text-brand underline">
              {words}
            </a>
          ),
        }),
      }
    } else {
      return refusal(answer)
    }
  }

  if (outcome === 'bad') return <BadLink />
  if (outcome) return <Confirmed email={outcome.email} />
  return (
    <PublicCard title={t('confirm.confirm.title')} text={t('confirm.confirm.text')}>
      <Form onSubmit={confirm}>
        <Submit wide>{t('confirm.confirm.do')}</Submit>
      </Form>
    </PublicCard>
  )
}

function Confirmed({ email }: { email: string }) {
  const { t } = useI18n()
  const goOn = useGoOn()
  return (
    <PublicCard title={t('confirm.confirm.done')} text={t('confirm.confirm.done_text', { email })}>
      <Form onSubmit={async () => void (await goOn(paths.home))}>
        <Submit wide>{t('confirm.confirm.continue')}</Submit>
      </Form>
    </PublicCard>
  )
}

function BadLink() {
  const { t } = useI18n()
  const { api } = useWires()
  const user = useSession()
  const { refusal } = useRefusal()

  async function resend() {
    const answer = await api(account.resendVerification)
    if (!answer.ok) return refusal(answer)
    toast(t('confirm.verify.resent'))
  }

  return (
    <LinkNotValid text={t('confirm.confirm.bad_text')}>
      {user ? (
        <Form onSubmit={resend}>
          <Submit wide>{t('confirm.confirm.resend')}</Submit>
        </Form>
      ) : (
        <ButtonLink look="primary" wide href={paths.login(paths.verify())}>
          {t('confirm.confirm.sign_in')}
        </ButtonLink>
      )}
    </LinkNotValid>
  )
}
