import { useQuery } from '@tanstack/react-query'
import { TLS_AUTH_METHODS, TLS_SUBJECTS } from '@vrata/contract/client-certificates'
import type { Advanced, ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useState } from 'react'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { can } from '../../../lib/organizations/allowed-calls.ts'
import { FieldSaveState } from '../../../lib/saved-fields/save-states.tsx'
import { useUser } from '../../../lib/session.ts'
import { SelectField } from '../../../ui/form/select-field.tsx'
import { Switch } from '../../../ui/form/switch.tsx'
import { Card, CardBody, CardHead } from '../../../ui/layout/card.tsx'
import { advancedSettings, serverMetadata } from '../queries.ts'
import { CertificateNameForm } from './certificate-name-form.tsx'
import { CibaForm } from './ciba-form.tsx'
import { ClientKeysForm } from './client-keys-form.tsx'
import { allowedAlgorithms, isFapi2 } from './fapi2.ts'
import { SecurityProfileField } from './security-profile-field.tsx'
import { SignedMessages } from './signed-messages.tsx'
import { SubjectFields } from './subject-fields.tsx'
import { UrlForm } from './url-form.tsx'
import { useUpdateAdvanced } from './use-update-advanced.ts'

/** Settings for special libraries and requirements. Hidden without permission. */
export function ExpertCard({ app }: { app: ClientInfo }) {
  const { t } = useI18n()
  const settings = useQuery(advancedSettings(useAppContext(), app.client_id))
  const mayChange = can(useUser(), clients.updateAdvanced)
  // The card above shows loading and failure.
  if (!settings.data || !mayChange) return null
  return (
    <Card aria-labelledby="expert">
      <CardHead id="expert" title={t('clients.expert.title')} text={t('clients.expert.text')} />
      <div className="divide-y divide-line border-t border-line">
        <SecurityProfileField app={app} now={settings.data} />
        <ClientAuthentication app={app} now={settings.data} />
        <Tokens app={app} now={settings.data} />
        <Requests app={app} now={settings.data} />
        <SignedMessages app={app} now={settings.data} />
        {(app.type === 'web' || app.type === 'spa') && <SubjectFields app={app} now={settings.data} />}
        {app.type !== 'service' && <Urls app={app} now={settings.data} />}
        {app.type !== 'service' && (
          <CardBody>
            <CibaForm app={app} now={settings.data} />
          </CardBody>
        )}
      </div>
    </Card>
  )
}

type SettingsProps = { app: ClientInfo; now: Advanced }
type Method = Advanced['token_endpoint_auth_method']

function ClientAuthentication({ app, now }: SettingsProps) {
  const { t } = useI18n()
  const change = useUpdateAdvanced(app)
  const { data: server } = useQuery(serverMetadata(useAppContext()))
  // A key or certificate must be registered first, so the choice takes effect with the form below.
  const [wanted, setWanted] = useState<Method | null>(null)
  const chosen = wanted ?? now.token_endpoint_auth_method

  function choose(method: Method) {
    const ready = hasWhatItNeeds(method, now)
    setWanted(ready ? null : method)
    if (ready) void change({ token_endpoint_auth_method: method })
  }

  const methods = clients.AUTH_METHODS.filter((method) => {
    if (method === chosen) return true
    if (isTlsMethod(method) && !server?.token_endpoint_auth_methods_supported.includes(method)) return false
    return isFapi2(now) ? isKeyMethod(method) : method !== 'none' || !now.require_client_secret
  })
  return (
    <CardBody className="space-y-5">
      <SelectField
        status={<FieldSaveState name="token_endpoint_auth_method" />}
        label={t('clients.expert.method')}
        hint={isKeyMethod(chosen) ? undefined : t('clients.expert.method_hint')}
        value={chosen}
        onChange={({ target }) => choose(target.value as Method)}
      >
        {methods.map((method) => (
          <option key={method} value={method}>
            {t(`clients.expert.method.${method}`)}
          </option>
        ))}
      </SelectField>
      {(chosen === 'private_key_jwt' || chosen === 'self_signed_tls_client_auth') && (
        <ClientKeysForm key={chosen} app={app} now={now} method={chosen} onSaved={() => setWanted(null)} />
      )}
      {chosen === 'tls_client_auth' && <CertificateNameForm app={app} now={now} onSaved={() => setWanted(null)} />}
      {(now.jwks !== null || now.jwks_uri !== null) && <SignatureAlgorithms app={app} now={now} />}
    </CardBody>
  )
}

/** Whether the app can authenticate by the method at once. */
function hasWhatItNeeds(method: Method, now: Advanced): boolean {
  if (method === 'tls_client_auth') return TLS_SUBJECTS.some((name) => now[name] !== null)
  if (method === 'private_key_jwt') return now.jwks !== null || now.jwks_uri !== null
  const withCertificate = now.jwks?.keys.some((key) => key.x5c !== undefined) ?? false
  return method !== 'self_signed_tls_client_auth' || withCertificate || now.jwks_uri !== null
}

const isTlsMethod = (method: Method) => TLS_AUTH_METHODS.some((one) => one === method)
const isKeyMethod = (method: Method) => clients.KEY_AUTH_METHODS.some((one) => one === method)

/** Algorithms with which the app signs its client assertions and authorization requests. */
function SignatureAlgorithms({ app, now }: SettingsProps) {
  const { t } = useI18n()
  const change = useUpdateAdvanced(app)
  const field = (name: 'token_endpoint_auth_signing_alg' | 'request_object_signing_alg') => (
    <SelectField
      status={<FieldSaveState name={name} />}
      label={t(`clients.expert.${name}`)}
      hint={now[name] === null ? undefined : t('clients.expert.signing_hint')}
      value={now[name] ?? ''}
      onChange={({ target }) => void change({ [name]: target.value || null })}
    >
      <option value="">{t('clients.expert.signing_any')}</option>
      {allowedAlgorithms(clients.CLIENT_SIGNING_ALGORITHMS, now).map((alg) => (
        <option key={alg}>{alg}</option>
      ))}
    </SelectField>
  )
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      {now.token_endpoint_auth_method === 'private_key_jwt' && field('token_endpoint_auth_signing_alg')}
      {app.type !== 'service' && field('request_object_signing_alg')}
    </div>
  )
}

function Tokens({ app, now }: SettingsProps) {
  const { t } = useI18n()
  const change = useUpdateAdvanced(app)
  return (
    <CardBody className="grid gap-5 sm:grid-cols-2">
      <SelectField
        status={<FieldSaveState name="id_token_signed_response_alg" />}
        label={t('clients.expert.algorithm')}
        hint={t('clients.expert.algorithm_hint')}
        value={now.id_token_signed_response_alg}
        onChange={({ target }) =>
          void change({ id_token_signed_response_alg: target.value as Advanced['id_token_signed_response_alg'] })
        }
      >
        {allowedAlgorithms(clients.SIGNING_ALGORITHMS, now).map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      {app.type !== 'service' && (
        <SelectField
          status={<FieldSaveState name="id_token_claims" />}
          label={t('clients.expert.id_token_claims')}
          hint={t('clients.expert.id_token_claims_hint')}
          value={now.id_token_claims}
          onChange={({ target }) => void change({ id_token_claims: target.value as Advanced['id_token_claims'] })}
        >
          {clients.ID_TOKEN_CLAIMS.map((content) => (
            <option key={content} value={content}>
              {t(`clients.expert.id_token_claims.${content}`)}
            </option>
          ))}
        </SelectField>
      )}
      <SelectField
        status={<FieldSaveState name="access_token_format" />}
        label={t('clients.expert.format')}
        hint={t('clients.expert.format_hint')}
        value={now.access_token_format}
        onChange={({ target }) => void change({ access_token_format: target.value as Advanced['access_token_format'] })}
      >
        {clients.TOKEN_FORMATS.map((format) => (
          <option key={format} value={format}>
            {t(`clients.expert.format.${format}`)}
          </option>
        ))}
      </SelectField>
    </CardBody>
  )
}

function Requests({ app, now }: SettingsProps) {
  const { t } = useI18n()
  const change = useUpdateAdvanced(app)
  const isService = app.type === 'service'
  const { data: server } = useQuery(serverMetadata(useAppContext()))
  const byCertificate =
    server?.tls_client_certificate_bound_access_tokens === true || now.tls_client_certificate_bound_access_tokens
  // FAPI 2.0 demands one of the two.
  const choosesBinding = byCertificate || !isFapi2(now)
  return (
    <>
      {choosesBinding && (
        <Switch
          status={<FieldSaveState name="dpop_bound_access_tokens" />}
          label={t('clients.expert.dpop')}
          text={t('clients.expert.dpop_text')}
          checked={now.dpop_bound_access_tokens}
          disabled={isFapi2(now) && now.dpop_bound_access_tokens}
          onChange={({ target }) => void change({ dpop_bound_access_tokens: target.checked })}
        />
      )}
      {byCertificate && (
        <Switch
          status={<FieldSaveState name="tls_client_certificate_bound_access_tokens" />}
          label={t('clients.expert.mtls')}
          text={t('clients.expert.mtls_text')}
          checked={now.tls_client_certificate_bound_access_tokens}
          disabled={isFapi2(now) && now.tls_client_certificate_bound_access_tokens}
          onChange={({ target }) => void change({ tls_client_certificate_bound_access_tokens: target.checked })}
        />
      )}
      {!isService && !isFapi2(now) && (
        <Switch
          status={<FieldSaveState name="require_pushed_authorization_requests" />}
          label={t('clients.expert.par')}
          text={t('clients.expert.par_text')}
          checked={now.require_pushed_authorization_requests}
          onChange={({ target }) => void change({ require_pushed_authorization_requests: target.checked })}
        />
      )}
      {!isService && !now.require_pkce && (
        <Switch
          status={<FieldSaveState name="require_nonce" />}
          label={t('clients.expert.nonce')}
          text={t('clients.expert.nonce_text')}
          checked={now.require_nonce}
          onChange={({ target }) => void change({ require_nonce: target.checked })}
        />
      )}
    </>
  )
}

/** Addresses of the app for sign-outs and for sign-ins that begin here. */
function Urls({ app, now }: SettingsProps) {
  const { t } = useI18n()
  const change = useUpdateAdvanced(app)
  return (
    <>
      <CardBody>
        <UrlForm app={app} now={now} name="initiate_login_uri" />
      </CardBody>
      <CardBody>
        <UrlForm app={app} now={now} name="backchannel_logout_uri" />
      </CardBody>
      <CardBody>
        <UrlForm app={app} now={now} name="frontchannel_logout_uri" />
      </CardBody>
      {now.frontchannel_logout_uri !== null && (
        <Switch
          status={<FieldSaveState name="frontchannel_logout_session_required" />}
          label={t('clients.expert.frontchannel_session')}
          text={t('clients.expert.frontchannel_session_text')}
          checked={now.frontchannel_logout_session_required}
          onChange={({ target }) => void change({ frontchannel_logout_session_required: target.checked })}
        />
      )}
    </>
  )
}
