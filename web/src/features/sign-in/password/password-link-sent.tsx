import { signIn } from '@vrata/contract'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { Form, Submit } from '../../../ui/form/form.tsx'

/** Confirmation that a link was sent, with resend. */
export function PasswordLinkSent({ email }: { email: string }) {
  const { t } = useI18n()
  const { api } = useAppContext()
  const { formErrors } = useFormErrors()

  async function sendAgain() {
    const answer = await api(signIn.forgotPassword, { email })
    if (!answer.ok) return formErrors(answer)
    toast(t('sign-in.sent.done'))
  }

  return (
    <Form onSubmit={sendAgain}>
      <Submit look="quiet" wide>
        {t('sign-in.sent.again')}
      </Submit>
    </Form>
  )
}
