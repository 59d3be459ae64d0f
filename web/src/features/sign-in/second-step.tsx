import { signIn } from '@vrata/contract'
import { useState } from 'react'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeField } from '../../ui/form/code-field.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { Form, Submit } from '../../ui/form/form.tsx'
import { Notice } from './notice.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { useCompleteSignIn } from './use-complete-sign-in.ts'
import { useSignInQuery } from './use-sign-in-query.ts'

/** Second step after the password: a TOTP code, a recovery code or a passkey. */
export function SecondStep({ onEnded }: { onEnded: (sentence: string) => void }) {
  const { t } = useI18n()
  const { api } = useAppContext()
  const { formErrors, errorMessage } = useFormErrors()
  const signedIn = useCompleteSignIn()
  const { sign_in } = useSignInQuery()
  const [backup, setBackup] = useState(false)
  const [failed, setFailed] = useState<string>()

  async function send({ otp_token = '', recovery_code = '' }: Record<string, string>) {
    setFailed(undefined)
    const code = backup ? { recovery_code } : { otp_token }
    let answer = await api(signIn.loginOtp, { ...code, ...(sign_in && { sign_in }) })
    // While several servers are upgraded, an older one may answer, which does not know this field.
    if (!answer.ok && answer.problem.fields?.sign_in) answer = await api(signIn.loginOtp, code)
    if (answer.ok) return void (await signedIn(answer.data, true))
    const { code: problem } = answer.problem
    if (problem === 'sign_in_expired' || problem === 'sign_in_replaced') return void onEnded(errorMessage(answer))
    return formErrors(answer, { invalid_otp: backup ? 'recovery_code' : 'otp_token' })
  }

  return (
    <>
      {failed && <Notice>{failed}</Notice>}
      <Form key={String(backup)} onSubmit={send}>
        {backup ? (
          <TextField
            name="recovery_code"
            label={t('second-factor.backup')}
            hint={t('second-factor.backup_hint')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            autoFocus
          />
        ) : (
          <CodeField
            name="otp_token"
            label={t('second-factor.code')}
            hint={t('second-factor.code_hint')}
            invalid={t('second-factor.code_invalid')}
            autoFocus
          />
        )}
        <Submit wide>{t('second-factor.step.do')}</Submit>
      </Form>
      <div className="mt-3 flex flex-col gap-3">
        <Button wide className="noscript:hidden" onClick={() => setBackup(!backup)}>
          {t(backup ? 'second-factor.use_app' : 'second-factor.use_backup')}
        </Button>
        <PasskeyButton label={t('second-factor.use_passkey')} onFailed={setFailed} />
      </div>
      <noscript>
        <form method="post" className="flex flex-col gap-5">
          <TextField
            name="recovery_code"
            label={t('second-factor.backup')}
            hint={t('second-factor.backup_hint')}
            required
          />
          <Submit look="quiet" wide>
            {t('second-factor.step.do')}
          </Submit>
        </form>
      </noscript>
    </>
  )
}
