import type { Advanced, ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useI18n } from '../../../lib/i18n.tsx'
import { FieldSaveState } from '../../../lib/saved-fields/save-states.tsx'
import { SelectField } from '../../../ui/form/select-field.tsx'
import { Switch } from '../../../ui/form/switch.tsx'
import { CardBody } from '../../../ui/layout/card.tsx'
import { allowedAlgorithms, isFapi2 } from './fapi2.ts'
import { useUpdateAdvanced } from './use-update-advanced.ts'

type Response =
  | 'authorization_signed_response_alg'
  | 'userinfo_signed_response_alg'
  | 'introspection_signed_response_alg'

/** Signed authorization requests (RFC 9101) and signed responses: JARM, userinfo, introspection (RFC 9701). */
export function SignedMessages({ app, now }: { app: ClientInfo; now: Advanced }) {
  const { t } = useI18n()
  const change = useUpdateAdvanced(app)
  const isService = app.type === 'service'
  const hasKeys = now.jwks !== null || now.jwks_uri !== null
  const alg = isFapi2(now) ? now.id_token_signed_response_alg : 'RS256'
  const responses: Response[] = isService
    ? ['introspection_signed_response_alg']
    : ['authorization_signed_response_alg', 'userinfo_signed_response_alg', 'introspection_signed_response_alg']
  return (
    <>
      {!isService && (
        <Switch
          status={<FieldSaveState name="require_signed_request_object" />}
          label={t('clients.expert.jar')}
          text={t(hasKeys ? 'clients.expert.jar_text' : 'clients.expert.jar_keys')}
          checked={now.require_signed_request_object}
          disabled={!hasKeys}
          onChange={({ target }) => void change({ require_signed_request_object: target.checked })}
        />
      )}
      <CardBody className="grid gap-5 sm:grid-cols-2">
        {responses.map((name) => {
          const inPopup = name === 'authorization_signed_response_alg' && now.allow_popup
          return (
            <SelectField
              key={name}
              status={<FieldSaveState name={name} />}
              label={t(`clients.expert.${name}`)}
              hint={t(inPopup ? 'clients.expert.signed_popup' : `clients.expert.${name}_hint`)}
              value={now[name] ?? ''}
              disabled={inPopup}
              onChange={({ target }) => void change({ [name]: target.value || null })}
            >
              <option value="">{t(`clients.expert.${name}_null`, { alg })}</option>
              {allowedAlgorithms(clients.SIGNING_ALGORITHMS, now).map((one) => (
                <option key={one} value={one}>
                  {t('clients.expert.signed_with', { alg: one })}
                </option>
              ))}
            </SelectField>
          )
        })}
      </CardBody>
    </>
  )
}
