import { useQuery } from '@tanstack/react-query'
import { useHydrated, useRouter } from '@tanstack/react-router'
import { auth } from '@vrata/contract'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { proofOf } from '../../lib/proof-of.ts'
import { useRefusal } from '../../lib/refusal.ts'
import { setUser } from '../../lib/session.ts'
import { CallFailed, callQuery } from '../../lib/use-call.ts'
import { notify, useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { PublicCard } from '../../ui/public-card.tsx'
import { ForgotForm } from './forgot-form.tsx'
import { LinkNotValid } from './link-not-valid.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { SentLink } from './sent-link.tsx'

/** The form stands there at once; only a link that turns out not to be good takes it away. */
export function ResetPassword({ token }: { token: string }) {
  const { t } = useI18n()
  const wires = useWires()
  const router = useRouter()
  const { refusal } = useRefusal()
  const hydrated = useHydrated()
  const [refused, setRefused] = useState(false)
  const link = useQuery({ ...callQuery(wires, auth.checkPasswordLink, { token }), enabled: hydrated && !refused })

  async function save({ new_password = '', code = '' }: Record<string, string>) {
    const answer = await wires.api(auth.resetPassword, { token, new_password, ...(code ? proofOf(code) : {}) })
    if (!answer.ok) {
      if (answer.problem.code === 'invalid_token') {
        setRefused(true)
        return
      }
      return refusal(answer, {
        password_too_short: 'new_password',
        password_breached: 'new_password',
        invalid_otp: 'code',
        otp_required: 'code',
      })
    }
    // Every session has ended, this browser's too.
    wires.queries.clear()
    setUser(wires, null)
    notify(wires.notices, t('auth.reset.done'))
    await router.navigate({ href: paths.loginUnasked(), replace: true })
  }

  const bad = link.error instanceof CallFailed && link.error.problem.code === 'invalid_token'
  if (bad || refused) return <BadLink />
  const email = link.data?.email
  return (
    <PublicCard title={t('auth.reset.title')} text={email ? t('auth.reset.for', { email }) : t('auth.reset.text')}>
      <Form onSubmit={save}>
        <NewPasswordField name="new_password" label={t('auth.new_password')} thorough />
        {link.data?.otp_required && (
          <TextField
            name="code"
            label={t('auth.reset.code')}
            hint={t('auth.reset.code_hint')}
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
        )}
        <Submit wide>{t('auth.reset.do')}</Submit>
      </Form>
    </PublicCard>
  )
}

/** The address is asked for again: a link that is not good says nothing about whose it was. */
function BadLink() {
  const { t } = useI18n()
  const [sentTo, setSentTo] = useState<string>()

  if (sentTo !== undefined) {
    return (
      <PublicCard title={t('auth.sent.title')} text={t('auth.sent.text', { email: sentTo })}>
        <SentLink email={sentTo} />
      </PublicCard>
    )
  }
  return (
    <LinkNotValid text={t('auth.reset.bad_text')}>
      <ForgotForm send={t('auth.reset.new_link')} onSent={setSentTo} />
    </LinkNotValid>
  )
}
