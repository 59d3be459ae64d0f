import type { Advanced, ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { TextField } from '../../../ui/form/field.tsx'
import { Form, Submit, type SubmitErrors } from '../../../ui/form/form.tsx'
import { advancedSettings } from '../queries.ts'

/** Addresses of the app that Vrata calls or opens, with an example of each. */
const EXAMPLES = {
  backchannel_logout_uri: 'https://example.com/signed-out',
  frontchannel_logout_uri: 'https://example.com/sign-out-frame',
  initiate_login_uri: 'https://example.com/login',
  sector_identifier_uri: 'https://example.com/redirect-uris.json',
} as const

type Props = {
  app: ClientInfo
  now: Advanced
  name: keyof typeof EXAMPLES
  /** Asks before the address is saved; resolves with false to keep the former one. */
  ask?: (uri: string | null) => Promise<boolean>
}

/** One such address; empty for none. */
export function UrlForm({ app: { client_id: id }, now, name, ask }: Props) {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()

  async function save(values: Record<string, string>): Promise<SubmitErrors | undefined> {
    const uri = values[name]?.trim() || null
    if (ask && !(await ask(uri))) return
    const answer = await context.api(clients.updateAdvanced, { id, [name]: uri })
    if (!answer.ok) return formErrors(answer)
    context.queries.setQueryData(advancedSettings(context, id).queryKey, answer.data)
    toast(t('clients.expert.url_saved'))
  }

  return (
    <Form onSubmit={save}>
      <TextField
        name={name}
        label={t(`clients.expert.${name}`)}
        hint={t(`clients.expert.${name}_hint`)}
        placeholder={EXAMPLES[name]}
        defaultValue={now[name] ?? ''}
        autoComplete="off"
        spellCheck={false}
      />
      <Submit look="quiet">{t('clients.expert.url_save')}</Submit>
    </Form>
  )
}
