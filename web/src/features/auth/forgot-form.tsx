import { auth } from '@vrata/contract'
import { constraintsOf } from '../../lib/constraints.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { useWires } from '../../lib/wires.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, Submit } from '../../ui/form.tsx'

type Props = {
  email?: string | undefined
  /** What the button says. */
  send: string
  onSent: (email: string) => void
}

/** Asks for a link to set a new password. Whether the address has an account is never told (house.md §7). */
export function ForgotForm({ email, send, onSent }: Props) {
  const { t } = useI18n()
  const { api } = useWires()
  const { refusal } = useRefusal()

  async function ask({ email = '' }: Record<string, string>) {
    const answer = await api(auth.forgotPassword, { email })
    if (!answer.ok) return refusal(answer)
    onSent(email)
  }

  return (
    <Form onSubmit={ask}>
      <TextField
        name="email"
        label={t('auth.email')}
        defaultValue={email}
        autoComplete="username"
        {...constraintsOf(auth.forgotPassword, 'email')}
      />
      <Submit wide>{send}</Submit>
    </Form>
  )
}
