import { useQuery } from '@tanstack/react-query'
import type { Advanced, ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { can, useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { Card, CardBody, CardHead } from '../../ui/card.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { advancedSettings } from './data.ts'
import { KeysForm } from './keys-form.tsx'
import { SignOutNoticeForm } from './sign-out-notice-form.tsx'
import { useChange } from './use-change.ts'

/** What only some libraries and demanding rules ask for; nobody has to touch it. Not shown to those who may only look. */
export function ExpertCard({ app }: { app: ClientInfo }) {
  const { t } = useI18n()
  const settings = useQuery(advancedSettings(useWires(), app.client_id))
  const mayChange = can(useUser(), clients.updateAdvanced)
  // Whether it is still on its way, or failed, the card above says.
  if (!settings.data || !mayChange) return null
  return (
    <Card aria-labelledby="expert">
      <CardHead id="expert" title={t('clients.expert.title')} text={t('clients.expert.text')} />
      <div className="divide-y divide-line border-t border-line">
        <Proof app={app} now={settings.data} />
        <Tokens app={app} now={settings.data} />
        <Requests app={app} now={settings.data} />
        {app.type !== 'service' && (
          <CardBody>
            <SignOutNoticeForm app={app} now={settings.data} />
          </CardBody>
        )}
      </div>
    </Card>
  )
}

type Part = { app: ClientInfo; now: Advanced }
type Method = Advanced['token_endpoint_auth_method']

function Proof({ app, now }: Part) {
  const { t } = useI18n()
  const change = useChange(app)
  // A key must be known before it can be asked for, so that choice waits for the form below.
  const [wantsKey, setWantsKey] = useState(false)
  const byKey = wantsKey || now.token_endpoint_auth_method === 'private_key_jwt'

  function choose(method: Method) {
    const known = now.jwks !== null || now.jwks_uri !== null
    setWantsKey(method === 'private_key_jwt' && !known)
    if (method !== 'private_key_jwt' || known) void change({ token_endpoint_auth_method: method })
  }

  const methods = clients.AUTH_METHODS.filter((method) => method !== 'none' || !now.require_client_secret)
  return (
    <CardBody className="space-y-5">
      <SelectField
        label={t('clients.expert.method')}
        hint={byKey ? undefined : t('clients.expert.method_hint')}
        value={byKey ? 'private_key_jwt' : now.token_endpoint_auth_method}
        onChange={({ target }) => choose(target.value as Method)}
      >
        {methods.map((method) => (
          <option key={method} value={method}>
            {t(`clients.expert.method.${method}`)}
          </option>
        ))}
      </SelectField>
      {byKey && <KeysForm app={app} now={now} onSaved={() => setWantsKey(false)} />}
    </CardBody>
  )
}

function Tokens({ app, now }: Part) {
  const { t } = useI18n()
  const change = useChange(app)
  return (
    <CardBody className="grid gap-5 sm:grid-cols-2">
      <SelectField
        label={t('clients.expert.algorithm')}
        hint={t('clients.expert.algorithm_hint')}
        value={now.id_token_signed_response_alg}
        onChange={({ target }) =>
          void change({ id_token_signed_response_alg: target.value as Advanced['id_token_signed_response_alg'] })
        }
      >
        {clients.SIGNING_ALGORITHMS.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
      <SelectField
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

function Requests({ app, now }: Part) {
  const { t } = useI18n()
  const change = useChange(app)
  const isService = app.type === 'service'
  return (
    <>
      <Switch
        label={t('clients.expert.dpop')}
        text={t('clients.expert.dpop_text')}
        checked={now.dpop_bound_access_tokens}
        onChange={({ target }) => void change({ dpop_bound_access_tokens: target.checked })}
      />
      {!isService && (
        <Switch
          label={t('clients.expert.par')}
          text={t('clients.expert.par_text')}
          checked={now.require_pushed_authorization_requests}
          onChange={({ target }) => void change({ require_pushed_authorization_requests: target.checked })}
        />
      )}
      {!isService && !now.require_pkce && (
        <Switch
          label={t('clients.expert.nonce')}
          text={t('clients.expert.nonce_text')}
          checked={now.require_nonce}
          onChange={({ target }) => void change({ require_nonce: target.checked })}
        />
      )}
    </>
  )
}
