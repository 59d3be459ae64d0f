import { signIn } from '@vrata/contract'
import { constraintsOf } from '../../../lib/api/constraints.ts'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { Form, Submit } from '../../../ui/form/form.tsx'

type Props = {
  email?: string | undefined
  /** Label of the button. */
  send: string
  onSent: (email: string) => void
}

/** Requests a password link. The answer does not reveal whether the address has an account (security §6.3.8). */
export function ForgotPasswordForm({ email, send, onSent }: Props) {
  const { t } = useI18n()
  const { api } = useAppContext()
  const { formErrors } = useFormErrors()

  async function ask({ email = '' }: Record<string, string>) {
    const answer = await api(signIn.forgotPassword, { email })
    if (!answer.ok) return formErrors(answer)
    onSent(email)
  }

  return (
    <Form onSubmit={ask}>
      {/* Without script the server recognizes the form by it. */}
      <input type="hidden" name="forgot" value="true" />
      <TextField
        name="email"
        label={t('sign-in.email')}
        defaultValue={email}
        autoComplete="username"
        {...constraintsOf(signIn.forgotPassword, 'email')}
      />
      <Submit wide>{send}</Submit>
    </Form>
  )
}
