import { useQuery } from '@tanstack/react-query'
import type { Advanced, ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useI18n } from '../../lib/i18n.tsx'
import { can, useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { ask } from '../../ui/ask.ts'
import { Card, CardBody, CardHead } from '../../ui/card.tsx'
import { AlertIcon } from '../../ui/icons.tsx'
import { Row, Rows } from '../../ui/row.tsx'
import { Switch } from '../../ui/switch.tsx'
import { advancedSettings } from './data.ts'
import { LifetimeField, useDuration } from './lifetime-field.tsx'
import { useChange } from './use-change.ts'
import { Waiting } from './waiting.tsx'

/** In seconds, from the shortest the server takes to the longest. */
const ACCESS_LIFETIMES = [60, 5 * 60, 10 * 60, 30 * 60, 3600, 12 * 3600, 24 * 3600]
const REFRESH_LIFETIMES = [3600, 24 * 3600, 7 * 24 * 3600, 30 * 24 * 3600, 90 * 24 * 3600]

/** How strictly the app must prove itself. Every change counts at once. */
export function AdvancedCard({ app }: { app: ClientInfo }) {
  const { t } = useI18n()
  const settings = useQuery(advancedSettings(useWires(), app.client_id))
  const mayChange = can(useUser(), clients.updateAdvanced)
  if (!settings.data) return <Waiting title={t('clients.advanced.title')} query={settings} />
  return (
    <Card aria-labelledby="advanced">
      <CardHead id="advanced" title={t('clients.advanced.title')} />
      {mayChange ? <Switches app={app} now={settings.data} /> : <Facts app={app} now={settings.data} />}
    </Card>
  )
}

function Switches({ app, now }: { app: ClientInfo; now: Advanced }) {
  const { t } = useI18n()
  const change = useChange(app)
  const isService = app.type === 'service'
  const held = isService ? 'secret_service' : now.require_pkce ? undefined : 'secret_pkce'

  /** Specification §4: without PKCE the secret is required, so that is asked and done together. */
  async function setPkce(control: HTMLInputElement) {
    if (control.checked) return change({ require_pkce: true })
    // A press on the label has not moved the focus yet, and the dialog gives it back to where it was.
    control.focus()
    const sure = await ask({
      title: t('clients.advanced.pkce_off_ask'),
      message: t('clients.advanced.pkce_off_text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('clients.advanced.pkce_off_do') }],
      danger: true,
    })
    if (sure) await change({ require_pkce: false, require_client_secret: true, require_nonce: true })
  }

  return (
    <div className="divide-y divide-line">
      {!isService && (
        <Switch
          label={t('clients.advanced.require_pkce')}
          text={t('clients.advanced.require_pkce_text')}
          checked={now.require_pkce}
          onChange={({ target }) => void setPkce(target)}
        />
      )}
      <Switch
        label={t('clients.advanced.require_client_secret')}
        text={t(held ? `clients.advanced.${held}` : 'clients.advanced.secret_text')}
        checked={now.require_client_secret}
        disabled={held !== undefined && now.require_client_secret}
        onChange={({ target }) => void change({ require_client_secret: target.checked })}
      />
      {now.require_client_secret && !app.secret_hint && (
        <p className="flex gap-3 bg-lamp-soft px-5 py-3 text-on-lamp sm:px-6">
          <AlertIcon className="mt-0.5" />
          <span className="min-w-0">{t('clients.advanced.secret_missing')}</span>
        </p>
      )}
      {inBrowser(app) && (
        <Switch
          label={t('clients.advanced.allow_popup')}
          text={t('clients.advanced.allow_popup_text')}
          checked={now.allow_popup}
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

/** The same for those who may only look. */
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

/** Whether its sign-in may run in a popup of its own page. */
function inBrowser({ type }: ClientInfo): boolean {
  return type === 'web' || type === 'spa'
}
