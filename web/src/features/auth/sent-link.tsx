import { auth } from '@vrata/contract'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { useWires } from '../../lib/wires.tsx'
import { Form, Submit } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.ts'

/** The link to a new password is on its way; it can be sent once more. */
export function SentLink({ email }: { email: string }) {
  const { t } = useI18n()
  const { api } = useWires()
  const { refusal } = useRefusal()

  async function sendAgain() {
    const answer = await api(auth.forgotPassword, { email })
    if (!answer.ok) return refusal(answer)
    toast(t('auth.sent.done'))
  }

  return (
    <Form onSubmit={sendAgain}>
      <Submit look="quiet" wide>
        {t('auth.sent.again')}
      </Submit>
    </Form>
  )
}
