import type { Advanced, ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { TextField } from '../../../ui/form/field.tsx'
import { Form, Submit, type SubmitErrors } from '../../../ui/form/form.tsx'
import { advancedSettings } from '../queries.ts'

/** Back-channel logout URI (OpenID Connect Back-Channel Logout §2.2). */
export function BackChannelLogoutForm({ app: { client_id: id }, now }: { app: ClientInfo; now: Advanced }) {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()

  async function save(values: Record<string, string>): Promise<SubmitErrors | undefined> {
    const backchannel_logout_uri = values.backchannel_logout_uri?.trim() || null
    const answer = await context.api(clients.updateAdvanced, { id, backchannel_logout_uri })
    if (!answer.ok) return formErrors(answer)
    context.queries.setQueryData(advancedSettings(context, id).queryKey, answer.data)
    toast(t('clients.expert.logout_saved'))
  }

  return (
    <Form onSubmit={save}>
      <TextField
        name="backchannel_logout_uri"
        label={t('clients.expert.logout')}
        hint={t('clients.expert.logout_hint')}
        placeholder="https://example.com/signed-out"
        defaultValue={now.backchannel_logout_uri ?? ''}
        autoComplete="off"
        spellCheck={false}
      />
      <Submit look="quiet">{t('clients.expert.logout_save')}</Submit>
    </Form>
  )
}
