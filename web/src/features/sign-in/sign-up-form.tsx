import { useRouter } from '@tanstack/react-router'
import { signIn } from '@vrata/contract'
import { paths } from '@vrata/contract/page-addresses'
import { safeRedirect } from '@vrata/contract/redirect'
import { invitationIn } from '@vrata/contract/sign-in-policy'
import { constraintsOf } from '../../lib/api/constraints.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { setUser } from '../../lib/session.ts'
import { TextField } from '../../ui/form/field.tsx'
import { Form, Submit } from '../../ui/form/form.tsx'
import { NewPasswordField, newPasswordProblems } from '../security/public.ts'
import { useSignInQuery } from './use-sign-in-query.ts'

type Props = {
  email: string | undefined
  /** The address already has an account; continues with sign-in. */
  onSignIn: (email: string) => void
}

/** Registration; afterwards the address must be confirmed. */
export function SignUpForm({ email, onSignIn }: Props) {
  const { t, rich, locale } = useI18n()
  const context = useAppContext()
  const router = useRouter()
  const { redirect } = useSignInQuery()
  const { formErrors } = useFormErrors()

  async function signUp({ email = '', password = '', ...names }: Record<string, string>) {
    const invitation = invitationIn(redirect)
    const answer = await context.api(signIn.register, {
      email,
      password,
      language: locale,
      ...(invitation && { invitation }),
      ...names,
    })
    if (answer.ok) {
      setUser(context, answer.data)
      await router.navigate({ href: paths.verify(safeRedirect(redirect)), replace: true })
    } else if (answer.problem.code === 'email_exists') {
      return { message: exists(email) }
    } else {
      return formErrors(answer, newPasswordProblems('password'))
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
          label={t('sign-in.first_name')}
          optional={t('sign-in.optional')}
          autoComplete="given-name"
          {...constraintsOf(signIn.register, 'first_name')}
        />
        <TextField
          name="last_name"
          label={t('sign-in.last_name')}
          optional={t('sign-in.optional')}
          autoComplete="family-name"
          {...constraintsOf(signIn.register, 'last_name')}
        />
      </div>
      <TextField
        name="email"
        label={t('sign-in.email')}
        defaultValue={email}
        autoComplete="email"
        {...constraintsOf(signIn.register, 'email')}
      />
      <NewPasswordField name="password" label={t('sign-in.password')} />
      <Submit wide>{t('sign-in.signup.do')}</Submit>
    </Form>
  )
}
