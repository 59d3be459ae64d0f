import { useHydrated, useRouter } from '@tanstack/react-router'
import { auth } from '@vrata/contract'
import { safeRedirect } from '@vrata/contract/redirect'
import { constraintsOf } from '../../lib/constraints.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { setUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { useQueryWords } from './go-on.ts'
import { NewPasswordField } from './new-password-field.tsx'

type Props = {
  email: string | undefined
  /** The address has an account already: back to sign-in, with it. */
  onSignIn: (email: string) => void
}

/** Names, email and password; afterwards the mail is to be read, and then the visitor goes on. */
export function SignUpForm({ email, onSignIn }: Props) {
  const { t, rich, locale } = useI18n()
  const wires = useWires()
  const router = useRouter()
  const { redirect } = useQueryWords()
  const { refusal } = useRefusal()

  async function signUp({ email = '', password = '', ...names }: Record<string, string>) {
    const answer = await wires.api(auth.register, { email, password, language: locale, ...names })
    if (answer.ok) {
      setUser(wires, answer.data)
      await router.navigate({ href: paths.verify(safeRedirect(redirect)), replace: true })
    } else if (answer.problem.code === 'email_exists') {
      return { message: exists(email) }
    } else {
      return refusal(answer, { password_too_short: 'password', password_breached: 'password' })
    }
  }

  const exists = (address: string) =>
    rich('problems.email_exists', {
      login: (words) => (
        <button type="button" className="font-semibold text-brand underline" onClick={() => onSignIn(address)}>
          {words}
        </button>
      ),
    })

  return (
    <Form onSubmit={signUp}>
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
        <TextField
          name="first_name"
          label={t('auth.first_name')}
          optional={t('auth.optional')}
          autoComplete="given-name"
          {...constraintsOf(auth.register, 'first_name')}
        />
        <TextField
          name="last_name"
          label={t('auth.last_name')}
          optional={t('auth.optional')}
          autoComplete="family-name"
          {...constraintsOf(auth.register, 'last_name')}
        />
      </div>
      <TextField
        name="email"
        label={t('auth.email')}
        defaultValue={email}
        autoComplete="email"
        {...constraintsOf(auth.register, 'email')}
      />
      <NewPasswordField name="password" label={t('auth.password')} />
      {/* The server takes no sign-up without the script; until it is there nothing is sent, and nothing typed is lost. */}
      <Submit wide disabled={!useHydrated()}>
        {t('auth.signup.do')}
      </Submit>
    </Form>
  )
}
