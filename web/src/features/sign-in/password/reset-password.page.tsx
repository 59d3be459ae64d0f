import { useQuery } from '@tanstack/react-query'
import { useHydrated, useParams, useRouter } from '@tanstack/react-router'
import { signIn } from '@vrata/contract'
import { otpOrRecoveryCode } from '@vrata/contract/otp-or-recovery-code'
import { paths } from '@vrata/contract/page-addresses'
import { useState } from 'react'
import { CallError, callQuery } from '../../../lib/api/call-query.ts'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useMailedLink } from '../../../lib/api/use-mailed-link.ts'
import { notify, useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { currentUser, loadUser, setUser } from '../../../lib/session.ts'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { InvalidLinkCard } from '../../../ui/feedback/invalid-link-card.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { Form, Submit } from '../../../ui/form/form.tsx'
import { PublicCard } from '../../../ui/layout/public-card.tsx'
import { NewPasswordField, newPasswordProblems } from '../../security/public.ts'
import { ForgotPasswordForm } from './forgot-password-form.tsx'
import { PasswordLinkSent } from './password-link-sent.tsx'

/** `/change-password/{token}`: the form is shown at once; an invalid link replaces it. */
export function ResetPasswordPage() {
  const { token = '' } = useParams({ strict: false })
  const { t } = useI18n()
  const context = useAppContext()
  const router = useRouter()
  const { formErrors } = useFormErrors()
  const hydrated = useHydrated()
  const { rejected, unanswered, consume } = useMailedLink()
  const [codeRequired, setCodeRequired] = useState(false)
  const link = useQuery({ ...callQuery(context, signIn.checkPasswordLink, { token }), enabled: hydrated && !rejected })

  async function save({ new_password = '', code = '' }: Record<string, string>) {
    const answer = await consume(
      context.api(signIn.resetPassword, {
        token,
        new_password,
        ...(code ? otpOrRecoveryCode(code) : {}),
      }),
    )
    if (!answer.ok) {
      if (answer.problem.code === 'invalid_token') return
      // The link could not be read before.
      if (answer.problem.code === 'otp_required') setCodeRequired(true)
      return formErrors(answer, {
        ...newPasswordProblems('new_password'),
        invalid_otp: 'code',
        otp_required: 'code',
      })
    }
    // The reset has ended every session of the account. This browser may have a session of another person, which stays.
    const other = currentUser(context) ? await loadUser(context) : null
    if (!other) setUser(context, null)
    notify(context.notices, t('new-password.done'))
    await router.navigate({ href: other ? paths.loginAnew : paths.loginUnasked(), replace: true })
  }

  const bad = link.error instanceof CallError && link.error.problem.code === 'invalid_token'
  if (bad || rejected) return <BadLink unanswered={unanswered} />
  const email = link.data?.email
  const code = {
    name: 'code',
    label: t('new-password.code'),
    autoComplete: 'one-time-code',
    autoCapitalize: 'none',
    spellCheck: false,
  }
  return (
    <PublicCard
      title={t('new-password.title')}
      text={email ? t('new-password.for', { email }) : t('new-password.text')}
    >
      <Form onSubmit={save}>
        <NewPasswordField name="new_password" label={t('sign-in.new_password')} personal={{ email, names: [] }} />
        {(codeRequired || link.data?.otp_required) && (
          <TextField {...code} hint={t('new-password.code_hint')} required />
        )}
        {/* Without script nothing is known of the account of the link. */}
        <noscript>
          <TextField {...code} hint={t('new-password.code_if_on')} />
        </noscript>
        <Submit wide>{t('new-password.do')}</Submit>
      </Form>
    </PublicCard>
  )
}

/** Asks for the address, because an invalid link does not name the account. After a call without an answer the password may be saved. */
function BadLink({ unanswered }: { unanswered: boolean }) {
  const { t } = useI18n()
  const [asks, setAsks] = useState(!unanswered)
  const [sentTo, setSentTo] = useState<string>()

  if (sentTo !== undefined) {
    return (
      <PublicCard title={t('sign-in.sent.title')} text={t('sign-in.sent.text', { email: sentTo })}>
        <PasswordLinkSent email={sentTo} />
      </PublicCard>
    )
  }
  if (!asks) {
    return (
      <InvalidLinkCard title={t('new-password.maybe')} text={t('new-password.maybe_text')}>
        <ButtonLink look="primary" wide href={paths.login()}>
          {t('sign-in.signin.title')}
        </ButtonLink>
        <Button look="ghost" wide onClick={() => setAsks(true)} className="mt-3">
          {t('new-password.new_link')}
        </Button>
      </InvalidLinkCard>
    )
  }
  return (
    <InvalidLinkCard title={t('sign-in.link.bad')} text={t('new-password.bad_text')}>
      <ForgotPasswordForm send={t('new-password.new_link')} onSent={setSentTo} />
      <ButtonLink look="ghost" wide href={paths.login()} className="mt-3">
        {t('sign-in.forgot.back')}
      </ButtonLink>
    </InvalidLinkCard>
  )
}
