import { signIn } from '@vrata/contract'
import type { KnownAccount } from '@vrata/contract/sign-in'
import { type ReactNode, useState } from 'react'
import { constraintsOf } from '../../lib/api/constraints.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { Form, Submit, type SubmitErrors } from '../../ui/form/form.tsx'
import { PasswordField } from '../../ui/form/password/password-field.tsx'
import { Notice } from './notice.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { useCompleteSignIn } from './use-complete-sign-in.ts'

type Props = {
  username: string | undefined
  /** Chosen account; its card replaces the username field. */
  account: KnownAccount | undefined
  card: ReactNode
  /** Called when the password was right and a second step is required. Returns errors. */
  onSecondStep: (sign_in: string) => Promise<SubmitErrors | undefined>
}

/**
 * Username and password. Without an `action` a form that is submitted before the script runs posts to the address of
 * the page, `redirect` included.
 */
export function SignInForm({ username, account, card, onSecondStep }: Props) {
  const { t } = useI18n()
  const { api } = useAppContext()
  const { formErrors } = useFormErrors()
  const signedIn = useCompleteSignIn()
  const [failed, setFailed] = useState<string>()

  async function submitPassword({ username = '', password = '' }: Record<string, string>) {
    setFailed(undefined)
    const answer = await api(signIn.login, { username, password })
    if (!answer.ok) return formErrors(answer)
    if (answer.data.next === 'otp') return onSecondStep(answer.data.sign_in)
    await signedIn(answer.data, true)
  }

  return (
    <>
      {failed && <Notice>{failed}</Notice>}
      <div data-way="password">
        <Form onSubmit={submitPassword}>
          {account ? (
            <>
              {card}
              <input
                type="text"
                name="username"
                autoComplete="username"
                value={account.username_or_email}
                readOnly
                hidden
              />
            </>
          ) : (
            <TextField
              name="username"
              label={t('sign-in.email_or_username')}
              defaultValue={username}
              autoComplete="username webauthn"
              autoCapitalize="none"
              spellCheck={false}
              inputMode="email"
              autoFocus
              {...constraintsOf(signIn.login, 'username')}
            />
          )}
          <PasswordField
            name="password"
            label={t('sign-in.password')}
            autoComplete="current-password"
            autoFocus={account !== undefined}
            {...constraintsOf(signIn.login, 'password')}
          />
          <Submit wide>{t('sign-in.signin.do')}</Submit>
        </Form>
      </div>
      <p
        data-way="password passkey"
        className="my-4 flex items-center gap-4 text-small text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line noscript:hidden"
      >
        {t('sign-in.signin.or')}
      </p>
      <PasskeyButton label={t('sign-in.signin.passkey')} suggest={!account} onFailed={setFailed} />
    </>
  )
}
