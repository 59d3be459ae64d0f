import type { Advanced, ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { useWires } from '../../lib/wires.tsx'
import { MultilineField, TextField } from '../../ui/field.tsx'
import { Form, type FormRefusal, Submit } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.ts'
import { advancedSettings } from './data.ts'

type KeysFormProps = { app: ClientInfo; now: Advanced; onSaved: () => void }

/** Public keys of an app: at an address, which is better, since it can change them there; or as they are. */
export function KeysForm({ app: { client_id: id }, now, onSaved }: KeysFormProps) {
  const { t } = useI18n()
  const wires = useWires()
  const { refusal } = useRefusal()

  async function save(values: Record<string, string>): Promise<FormRefusal | undefined> {
    const jwks_uri = values.jwks_uri?.trim() || null
    const jwks = parsed(values.jwks)
    if (jwks === undefined) return { fields: { jwks: t('problems.field.invalid') } }
    const keys = { jwks: jwks_uri ? null : jwks, jwks_uri }
    const answer = await wires.api(clients.updateAdvanced, {
      id,
      token_endpoint_auth_method: 'private_key_jwt',
      ...keys,
    })
    if (!answer.ok) return ownFields(refusal(answer, { keys_required: 'jwks_uri' }))
    wires.queries.setQueryData(advancedSettings(wires, id).queryKey, answer.data)
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
        hint={t('clients.expert.jwks_hint')}
        defaultValue={now.jwks ? JSON.stringify(now.jwks, null, 2) : ''}
        rows={6}
        spellCheck={false}
      />
      <Submit look="quiet">{t('clients.expert.keys_save')}</Submit>
    </Form>
  )
}

/** What stands in the field: a set of keys, one key, or nothing; undefined when it cannot be read. */
function parsed(text: string | undefined): Advanced['jwks'] | undefined {
  if (!text?.trim()) return null
  try {
    const value = JSON.parse(text)
    return Array.isArray(value?.keys) ? { keys: value.keys } : { keys: [value] }
  } catch {
    return undefined
  }
}

/** What is wrong with the third key is wrong with the field. */
function ownFields({ fields, message }: FormRefusal): FormRefusal {
  const home = (name: string) => (name.startsWith('jwks.') ? 'jwks' : name)
  const at = Object.entries(fields ?? {}).map(([name, words]) => [home(name), words])
  return { fields: Object.fromEntries(at), message }
}
