import { auth } from '@vrata/contract'
import type { KnownAccount } from '@vrata/contract/auth'
import { type ReactNode, useState } from 'react'
import { constraintsOf } from '../../lib/constraints.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { useWires } from '../../lib/wires.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Notice } from './notice.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { useSignedIn } from './use-signed-in.ts'

type Props = {
  username: string | undefined
  /** Whose password is asked for; its card stands in the place of the field. */
  account: KnownAccount | undefined
  card: ReactNode
  /** The password was right, and a second step is asked for. */
  onSecondStep: () => void
}

/**
 * Email or user name, and password. Without an `action` a form that is sent before the script runs goes to the very
 * address of the page, `redirect` included, where the server takes it.
 */
export function SignInForm({ username, account, card, onSecondStep }: Props) {
  const { t } = useI18n()
  const { api } = useWires()
  const { refusal } = useRefusal()
  const signedIn = useSignedIn()
  const [failed, setFailed] = useState<string>()

  async function signIn({ username = '', password = '' }: Record<string, string>) {
    setFailed(undefined)
    const answer = await api(auth.login, { username, password })
    if (!answer.ok) return refusal(answer)
    if (answer.data.next === 'otp') onSecondStep()
    else await signedIn(answer.data)
  }

  return (
    <>
      {failed && <Notice>{failed}</Notice>}
      <Form onSubmit={signIn}>
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
            label={t('auth.email_or_username')}
            defaultValue={username}
            autoComplete="username webauthn"
            autoCapitalize="none"
            spellCheck={false}
            inputMode="email"
            autoFocus
            {...constraintsOf(auth.login, 'username')}
          />
        )}
        <PasswordField
          name="password"
          label={t('auth.password')}
          autoComplete="current-password"
          autoFocus={account !== undefined}
          {...constraintsOf(auth.login, 'password')}
        />
        <Submit wide>{t('auth.signin.do')}</Submit>
      </Form>
      <p className="my-4 flex items-center gap-4 text-small text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line noscript:hidden">
        {t('auth.signin.or')}
      </p>
      <PasskeyButton label={t('auth.signin.passkey')} suggest={!account} onFailed={setFailed} />
    </>
  )
}
