import type { Advanced, ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { useWires } from '../../lib/wires.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form, type FormRefusal, Submit } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.ts'
import { advancedSettings } from './data.ts'

/** Where the app's server hears that somebody has signed out (OpenID Connect Back-Channel Logout). */
export function SignOutNoticeForm({ app: { client_id: id }, now }: { app: ClientInfo; now: Advanced }) {
  const { t } = useI18n()
  const wires = useWires()
  const { refusal } = useRefusal()

  async function save(values: Record<string, string>): Promise<FormRefusal | undefined> {
    const backchannel_logout_uri = values.backchannel_logout_uri?.trim() || null
    const answer = await wires.api(clients.updateAdvanced, { id, backchannel_logout_uri })
    if (!answer.ok) return refusal(answer)
    wires.queries.setQueryData(advancedSettings(wires, id).queryKey, answer.data)
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
