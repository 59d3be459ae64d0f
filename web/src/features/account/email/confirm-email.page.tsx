import { useParams } from '@tanstack/react-router'
import { security } from '@vrata/contract'
import { paths } from '@vrata/contract/page-addresses'
import { useState } from 'react'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { loadUser, useSession } from '../../../lib/session.ts'
import { useContinue } from '../../../lib/use-continue.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { InvalidLinkCard } from '../../../ui/feedback/invalid-link-card.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { Form, Submit } from '../../../ui/form/form.tsx'
import { PublicCard } from '../../../ui/layout/public-card.tsx'

/** Confirms only on submit, because mail scanners open links (design §7.7). */
export function ConfirmEmailPage() {
  const { t, rich } = useI18n()
  const context = useAppContext()
  const { token = '' } = useParams({ strict: false })
  const { formErrors } = useFormErrors()
  const [outcome, setOutcome] = useState<{ email: string } | 'bad'>()

  async function confirm() {
    const answer = await context.api(security.verifyEmail, { token })
    if (answer.ok) {
      await loadUser(context)
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
      return formErrors(answer)
    }
  }

  if (outcome === 'bad') return <BadLink />
  if (outcome) return <Confirmed email={outcome.email} />
  return (
    <PublicCard title={t('email-confirmation.confirm.title')} text={t('email-confirmation.confirm.text')}>
      <Form onSubmit={confirm}>
        <Submit wide>{t('email-confirmation.confirm.do')}</Submit>
      </Form>
    </PublicCard>
  )
}

function Confirmed({ email }: { email: string }) {
  const { t } = useI18n()
  const continueTo = useContinue()
  return (
    <PublicCard
      title={t('email-confirmation.confirm.done')}
      text={t('email-confirmation.confirm.done_text', { email })}
    >
      <Form onSubmit={async () => void (await continueTo(paths.home))}>
        <Submit wide>{t('email-confirmation.confirm.continue')}</Submit>
      </Form>
    </PublicCard>
  )
}

function BadLink() {
  const { t } = useI18n()
  const { api } = useAppContext()
  const user = useSession()
  const { formErrors } = useFormErrors()

  async function resend() {
    const answer = await api(security.resendVerification)
    if (!answer.ok) return formErrors(answer)
    toast(t('email-confirmation.verify.resent'))
  }

  return (
    <InvalidLinkCard title={t('sign-in.link.bad')} text={t('email-confirmation.confirm.bad_text')}>
      {user ? (
        <Form onSubmit={resend}>
          <Submit wide>{t('email-confirmation.confirm.resend')}</Submit>
        </Form>
      ) : (
        <ButtonLink look="primary" wide href={paths.login(paths.verify())}>
          {t('email-confirmation.confirm.sign_in')}
        </ButtonLink>
      )}
    </InvalidLinkCard>
  )
}
