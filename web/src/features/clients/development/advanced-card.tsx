import { useQuery } from '@tanstack/react-query'
import type { Advanced, ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useAppContext } from '../../../lib/app-context.tsx'
import { LoadingCard } from '../../../lib/clients/loading-card.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { can } from '../../../lib/organizations/allowed-calls.ts'
import { FieldSaveState } from '../../../lib/saved-fields/save-states.tsx'
import { useUser } from '../../../lib/session.ts'
import { showDialog } from '../../../ui/dialog/show-dialog.ts'
import { Switch } from '../../../ui/form/switch.tsx'
import { AlertIcon } from '../../../ui/icons/icons.tsx'
import { Card, CardBody, CardHead } from '../../../ui/layout/card.tsx'
import { Row, Rows } from '../../../ui/layout/row.tsx'
import { advancedSettings } from '../queries.ts'
import { isFapi2 } from './fapi2.ts'
import { LifetimeField, useDuration } from './lifetime-field.tsx'
import { useUpdateAdvanced } from './use-update-advanced.ts'

/** Seconds, from the server's minimum to its maximum. */
const ACCESS_LIFETIMES = [60, 5 * 60, 10 * 60, 30 * 60, 3600, 12 * 3600, 24 * 3600]
const REFRESH_LIFETIMES = [3600, 24 * 3600, 7 * 24 * 3600, 30 * 24 * 3600, 90 * 24 * 3600]

/** Security settings of the app. Every change takes effect immediately. */
export function AdvancedCard({ app }: { app: ClientInfo }) {
  const { t } = useI18n()
  const settings = useQuery(advancedSettings(useAppContext(), app.client_id))
  const mayChange = can(useUser(), clients.updateAdvanced)
  if (!settings.data) return <LoadingCard title={t('clients.advanced.title')} query={settings} />
  return (
    <Card aria-labelledby="advanced">
      <CardHead id="advanced" title={t('clients.advanced.title')} />
      {mayChange ? <Switches app={app} now={settings.data} /> : <Facts app={app} now={settings.data} />}
    </Card>
  )
}

function Switches({ app, now }: { app: ClientInfo; now: Advanced }) {
  const { t } = useI18n()
  const change = useUpdateAdvanced(app)
  const isService = app.type === 'service'
  const fapi2 = isFapi2(now)
  const signed = now.authorization_signed_response_alg !== null
  const lockedBy = secretLock(app, now)

  /** Without PKCE the secret is required, so both change together (product §4.8). */
  async function setPkce(control: HTMLInputElement) {
    if (control.checked) return change({ require_pkce: true })
    // A click on the label does not move focus, and the dialog returns focus to the focused element.
    control.focus()
    const sure = await showDialog({
      title: t('clients.advanced.pkce_off_ask'),
      message: t('clients.advanced.pkce_off_text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('clients.advanced.pkce_off_do') }],
      danger: true,
    })
    if (sure) await change({ require_pkce: false, require_client_secret: true, require_nonce: true })
  }

  return (
    <div className="divide-y divide-line">
      {/* FAPI 2.0 sets what the switches set (security-profile-field.tsx). */}
      {fapi2 && <p className="px-5 py-4 sm:px-6">{t('clients.advanced.fixed_by_profile')}</p>}
      {!isService && !fapi2 && (
        <Switch
          status={<FieldSaveState name="require_pkce" />}
          label={t('clients.advanced.require_pkce')}
          text={t('clients.advanced.require_pkce_text')}
          checked={now.require_pkce}
          onChange={({ target }) => void setPkce(target)}
        />
      )}
      {!fapi2 && (
        <Switch
          status={<FieldSaveState name="require_client_secret" />}
          label={t('clients.advanced.require_client_secret')}
          text={t(lockedBy ? `clients.advanced.${lockedBy}` : 'clients.advanced.secret_text')}
          checked={now.require_client_secret}
          disabled={lockedBy !== undefined && now.require_client_secret}
          onChange={({ target }) => void change({ require_client_secret: target.checked })}
        />
      )}
      {now.require_client_secret && isSecretMethod(now) && !app.secret_hint && (
        <p className="flex gap-3 bg-accent-soft px-5 py-3 text-on-accent sm:px-6">
          <AlertIcon className="mt-0.5" />
          <span className="min-w-0">{t('clients.advanced.secret_missing')}</span>
        </p>
      )}
      {inBrowser(app) && !fapi2 && (
        <Switch
          status={<FieldSaveState name="allow_popup" />}
          label={t('clients.advanced.allow_popup')}
          text={t(signed ? 'clients.advanced.popup_signed' : 'clients.advanced.allow_popup_text')}
          checked={now.allow_popup}
          disabled={signed}
          onChange={({ target }) => void change({ allow_popup: target.checked })}
        />
      )}
      <CardBody className="grid gap-5 sm:grid-cols-2">
        <LifetimeField
          name="access_token_ttl"
          choices={ACCESS_LIFETIMES}
          value={now.access_token_ttl}
          onChange={(access_token_ttl) => void change({ access_token_ttl })}
        />
        {!isService && (
          <LifetimeField
            name="refresh_token_ttl"
            choices={REFRESH_LIFETIMES}
            value={now.refresh_token_ttl}
            onChange={(refresh_token_ttl) => void change({ refresh_token_ttl })}
          />
        )}
      </CardBody>
    </div>
  )
}

/** The same details without permission to change them. */
function Facts({ app, now }: { app: ClientInfo; now: Advanced }) {
  const { t } = useI18n()
  const duration = useDuration()
  const isService = app.type === 'service'
  const stateOf = (on: boolean) => t(on ? 'clients.advanced.on' : 'clients.advanced.off')
  return (
    <Rows>
      {!isService && <Row key="pkce" label={t('clients.advanced.require_pkce')} value={stateOf(now.require_pkce)} />}
      <Row
        key="secret"
        label={t('clients.advanced.require_client_secret')}
        value={stateOf(now.require_client_secret)}
      />
      {inBrowser(app) && <Row key="popup" label={t('clients.advanced.allow_popup')} value={stateOf(now.allow_popup)} />}
      <Row key="access" label={t('clients.advanced.access_token_ttl')} value={duration(now.access_token_ttl)} />
      {!isService && (
        <Row key="refresh" label={t('clients.advanced.refresh_token_ttl')} value={duration(now.refresh_token_ttl)} />
      )}
    </Rows>
  )
}

/** The phrase of what requires the client secret. */
function secretLock({ type }: ClientInfo, now: Advanced): 'secret_service' | 'secret_pkce' | 'secret_ciba' | undefined {
  if (type === 'service') return 'secret_service'
  if (!now.require_pkce) return 'secret_pkce'
  return now.backchannel_token_delivery_mode === null ? undefined : 'secret_ciba'
}

/** Whether the sign-in may run in a popup. */
function inBrowser({ type }: ClientInfo): boolean {
  return type === 'web' || type === 'spa'
}

function isSecretMethod({ token_endpoint_auth_method }: Advanced): boolean {
  return token_endpoint_auth_method.startsWith('client_secret_')
}
