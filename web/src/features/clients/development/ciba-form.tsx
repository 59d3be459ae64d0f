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

type Mode = Advanced['backchannel_token_delivery_mode']

/** Backchannel authentication requests (OpenID Connect CIBA Core §4). Saved together, because the mode `ping` needs an address. */
export function CibaForm({ app: { client_id: id }, now }: { app: ClientInfo; now: Advanced }) {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const [mode, setMode] = useState<Mode>(now.backchannel_token_delivery_mode)
  const [alg, setAlg] = useState(now.backchannel_authentication_request_signing_alg)
  const hasKeys = now.jwks !== null || now.jwks_uri !== null
  const lack = now.subject_type === 'pairwise' ? 'pairwise' : now.require_client_secret ? undefined : 'secret'

  async function save(values: Record<string, string>): Promise<SubmitErrors | undefined> {
    const answer = await context.api(clients.updateAdvanced, {
      id,
      backchannel_token_delivery_mode: mode,
      backchannel_authentication_request_signing_alg: alg,
      ...(mode === 'ping'
        ? { backchannel_client_notification_endpoint: values.backchannel_client_notification_endpoint?.trim() || null }
        : {}),
    })
    if (!answer.ok) return formErrors(answer)
    context.queries.setQueryData(advancedSettings(context, id).queryKey, answer.data)
    toast(t('clients.expert.ciba_saved'))
  }

  return (
    <Form onSubmit={save}>
      <SelectField
        name="backchannel_token_delivery_mode"
        label={t('clients.expert.ciba')}
        hint={t(lack ? `clients.expert.ciba_${lack}` : 'clients.expert.ciba_hint')}
        value={mode ?? ''}
        onChange={({ target }) => setMode((target.value || null) as Mode)}
      >
        <option value="">{t('clients.expert.ciba.off')}</option>
        {clients.DELIVERY_MODES.map((one) => (
          <option key={one} value={one} disabled={lack !== undefined}>
            {t(`clients.expert.ciba.${one}`)}
          </option>
        ))}
      </SelectField>
      {mode === 'ping' && (
        <TextField
          name="backchannel_client_notification_endpoint"
          label={t('clients.expert.ciba_endpoint')}
          hint={t('clients.expert.ciba_endpoint_hint')}
          placeholder="https://example.com/sign-in-answered"
          defaultValue={now.backchannel_client_notification_endpoint ?? ''}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {mode !== null && hasKeys && (
        <SelectField
          name="backchannel_authentication_request_signing_alg"
          label={t('clients.expert.ciba_signing')}
          value={alg ?? ''}
          onChange={({ target }) => setAlg((target.value || null) as typeof alg)}
        >
          <option value="">{t('clients.expert.ciba_unsigned')}</option>
          {clients.CLIENT_SIGNING_ALGORITHMS.filter(
            (one) => !(now.security_profile === 'fapi2' && one === 'RS256'),
          ).map((one) => (
            <option key={one}>{one}</option>
          ))}
        </SelectField>
      )}
      <Submit look="quiet">{t('clients.expert.ciba_save')}</Submit>
    </Form>
  )
}
