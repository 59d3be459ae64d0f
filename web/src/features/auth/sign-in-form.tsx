import { auth } from '@vrata/contract'
import { constraintsOf } from '../../lib/constraints.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { setUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { useGoOn } from './go-on.ts'

/**
 * Email or user name, and password. Without an `action` a form that is sent before the script runs goes to the very
 * address of the page, `redirect` included, where the server takes it.
 */
export function SignInForm({ username }: { username: string | undefined }) {
  const { t } = useI18n()
  const wires = useWires()
  const goOn = useGoOn()
  const { refusal } = useRefusal()

  async function signIn({ username = '', password = '' }: Record<string, string>) {
    const answer = await wires.api(auth.login, { username, password })
    if (!answer.ok) return refusal(answer)
    if (answer.data.next === 'otp') {
      secondStep()
      return
    }
    setUser(wires, answer.data.user)
    await goOn()
  }

  return (
    <Form onSubmit={signIn}>
      <TextField
        name="username"
        label={t('auth.email_or_username')}
        defaultValue={username}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="email"
        autoFocus
        {...constraintsOf(auth.login, 'username')}
      />
      <PasswordField
        name="password"
        label={t('auth.password')}
        autoComplete="current-password"
        {...constraintsOf(auth.login, 'password')}
      />
      <Submit wide>{t('auth.signin.do')}</Submit>
    </Form>
  )
}

/** The same page asks for the second factor, and knows by its address that it has to. */
function secondStep(): void {
  const query = new URLSearchParams(location.search)
  query.set('otp', 'true')
  location.assign(`${location.pathname}?${query}`)
}
