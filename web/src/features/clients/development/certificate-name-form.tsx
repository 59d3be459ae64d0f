import { TLS_SUBJECTS, type TlsSubject } from '@vrata/contract/client-certificates'
import type { Advanced, ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useState } from 'react'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { TextField } from '../../../ui/form/field.tsx'
import { Form, Submit, type SubmitErrors } from '../../../ui/form/form.tsx'
import { SelectField } from '../../../ui/form/select-field.tsx'
import { advancedSettings } from '../queries.ts'

type CertificateNameFormProps = { app: ClientInfo; now: Advanced; onSaved: () => void }

/** The one name by which the certificate of an app is recognized (RFC 8705 §2.1.2). */
export function CertificateNameForm({ app: { client_id: id }, now, onSaved }: CertificateNameFormProps) {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const [name, setName] = useState<TlsSubject>(
    TLS_SUBJECTS.find((one) => now[one] !== null) ?? 'tls_client_auth_subject_dn',
  )

  async function save(values: Record<string, string>): Promise<SubmitErrors | undefined> {
    const changes = { token_endpoint_auth_method: 'tls_client_auth', [name]: values[name]?.trim() || null } as const
    const answer = await context.api(clients.updateAdvanced, { id, ...changes })
    if (!answer.ok) return belongingTo(name, formErrors(answer))
    context.queries.setQueryData(advancedSettings(context, id).queryKey, answer.data)
    onSaved()
    toast(t('clients.expert.tls_saved'))
  }

  return (
    <Form onSubmit={save}>
      <SelectField
        label={t('clients.expert.tls_subject')}
        value={name}
        onChange={({ target }) => setName(target.value as TlsSubject)}
      >
        {TLS_SUBJECTS.map((one) => (
          <option key={one} value={one}>
            {t(`clients.expert.${one}`)}
          </option>
        ))}
      </SelectField>
      <TextField
        key={name}
        name={name}
        label={t('clients.expert.tls_name')}
        hint={t(name === 'tls_client_auth_subject_dn' ? 'clients.expert.tls_dn_hint' : 'clients.expert.tls_san_hint')}
        placeholder={EXAMPLES[name]}
        defaultValue={now[name] ?? ''}
        autoComplete="off"
        spellCheck={false}
      />
      <Submit look="quiet">{t('clients.expert.tls_save')}</Submit>
    </Form>
  )
}

const EXAMPLES: Record<TlsSubject, string> = {
  tls_client_auth_subject_dn: 'CN=app.example.com,O=Example,C=SI',
  tls_client_auth_san_dns: 'app.example.com',
  tls_client_auth_san_uri: 'https://example.com/app',
  tls_client_auth_san_ip: '192.0.2.1',
  tls_client_auth_san_email: 'app@example.com',
}

/** The server reports a missing name as that of the subject. */
function belongingTo(name: TlsSubject, { fields, message }: SubmitErrors): SubmitErrors {
  const { tls_client_auth_subject_dn: missing, ...others } = fields ?? {}
  return { fields: missing ? { ...others, [name]: missing } : others, message }
}
