import type { Advanced, ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { TextField } from '../../../ui/form/field.tsx'
import { Form, Submit, type SubmitErrors } from '../../../ui/form/form.tsx'
import { MultilineField } from '../../../ui/form/multiline-field.tsx'
import { advancedSettings } from '../queries.ts'

type ClientKeysFormProps = {
  app: ClientInfo
  now: Advanced
  method: 'private_key_jwt' | 'self_signed_tls_client_auth'
  onSaved: () => void
}

/** Public keys of an app as `jwks_uri`, which allows rotation, or as `jwks`. */
export function ClientKeysForm({ app: { client_id: id }, now, method, onSaved }: ClientKeysFormProps) {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()

  async function save(values: Record<string, string>): Promise<SubmitErrors | undefined> {
    const jwks_uri = values.jwks_uri?.trim() || null
    const jwks = parseKeys(values.jwks)
    if (jwks === undefined) return { fields: { jwks: t('problems.field.invalid') } }
    const keys = { jwks: jwks_uri ? null : jwks, jwks_uri }
    const answer = await context.api(clients.updateAdvanced, {
      id,
      token_endpoint_auth_method: method,
      ...keys,
    })
    if (!answer.ok) return mergeKeyErrors(formErrors(answer, { keys_required: 'jwks_uri' }))
    context.queries.setQueryData(advancedSettings(context, id).queryKey, answer.data)
    onSaved()
    toast(t('clients.expert.keys_saved'))
  }

  return (
    <Form onSubmit={save}>
      <TextField
        name="jwks_uri"
        label={t('clients.expert.jwks_uri')}
        hint={t('clients.expert.jwks_uri_hint')}
        placeholder="https://example.com/jwks.json"
        defaultValue={now.jwks_uri ?? ''}
        autoComplete="off"
        spellCheck={false}
      />
      <MultilineField
        name="jwks"
        label={t('clients.expert.jwks')}
        hint={t(method === 'private_key_jwt' ? 'clients.expert.jwks_hint' : 'clients.expert.x5c_hint')}
        defaultValue={now.jwks ? JSON.stringify(now.jwks, null, 2) : ''}
        rows={6}
        spellCheck={false}
      />
      <Submit look="quiet">{t('clients.expert.keys_save')}</Submit>
    </Form>
  )
}

/** Parses a JWK set, a single key, or nothing. Undefined when the text is not JSON. */
function parseKeys(text: string | undefined): Advanced['jwks'] | undefined {
  if (!text?.trim()) return null
  try {
    const value = JSON.parse(text)
    return Array.isArray(value?.keys) ? { keys: value.keys } : { keys: [value] }
  } catch {
    return undefined
  }
}

/** Errors of single keys belong to the field `jwks`. */
function mergeKeyErrors({ fields, message }: SubmitErrors): SubmitErrors {
  const fieldOf = (name: string) => (name.startsWith('jwks.') ? 'jwks' : name)
  const merged = Object.entries(fields ?? {}).map(([name, words]) => [fieldOf(name), words])
  return { fields: Object.fromEntries(merged), message }
}
