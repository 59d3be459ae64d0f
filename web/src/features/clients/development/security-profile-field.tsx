import { useQuery } from '@tanstack/react-query'
import type { Advanced, ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useAppContext } from '../../../lib/app-context.tsx'
import { redirectUris } from '../../../lib/clients/client-queries.ts'
import { useI18n } from '../../../lib/i18n.tsx'
import { FieldSaveState } from '../../../lib/saved-fields/save-states.tsx'
import { showDialog } from '../../../ui/dialog/show-dialog.ts'
import { SelectField } from '../../../ui/form/select-field.tsx'
import { CardBody } from '../../../ui/layout/card.tsx'
import { isFapi2 } from './fapi2.ts'
import { useUpdateAdvanced } from './use-update-advanced.ts'

type Profile = Advanced['security_profile']

/** Requirements of FAPI 2.0 for every app, and for apps that sign people in. */
const DEMANDS = ['authentication', 'audience', 'tokens', 'algorithms'] as const
const SIGN_IN_DEMANDS = ['requests', 'signed', 'redirect', 'popup'] as const

/** The security profile, with what FAPI 2.0 demands: before it is chosen, and as long as it is. */
export function SecurityProfileField({ app, now }: { app: ClientInfo; now: Advanced }) {
  const { t } = useI18n()
  const change = useUpdateAdvanced(app)
  const missing = useMissing(app, now)
  const demands = app.type === 'service' ? DEMANDS : [...DEMANDS, ...SIGN_IN_DEMANDS]
  const list = (
    <ul className="mt-2 list-disc space-y-1 ps-5">
      {demands.map((one) => (
        <li key={one}>{t(`clients.expert.fapi2.${one}`)}</li>
      ))}
    </ul>
  )

  async function choose(control: HTMLSelectElement) {
    const security_profile = control.value as Profile
    if (security_profile === 'fapi2') {
      const sure = await showDialog({
        title: t('clients.expert.profile_ask'),
        message: (
          <>
            <p>{t('clients.expert.profile_ask_text')}</p>
            {list}
          </>
        ),
        buttons: [{ label: t('ui.cancel') }, { label: t('clients.expert.profile_ask_do') }],
      })
      if (!sure) return
    }
    await change({ security_profile })
  }

  return (
    <CardBody className="space-y-3">
      <SelectField
        status={<FieldSaveState name="security_profile" />}
        label={t('clients.expert.profile')}
        hint={t(missing ? `clients.expert.profile_${missing}` : 'clients.expert.profile_hint')}
        value={now.security_profile}
        onChange={({ target }) => void choose(target)}
      >
        {clients.SECURITY_PROFILES.map((profile) => (
          <option key={profile} value={profile} disabled={profile === 'fapi2' && missing !== undefined}>
            {t(`clients.expert.profile.${profile}`)}
          </option>
        ))}
      </SelectField>
      {isFapi2(now) && (
        <div>
          <p>{t('clients.expert.profile.fapi2_text')}</p>
          {list}
          {app.type !== 'service' && <p className="mt-3 text-muted">{t('clients.expert.profile_signing')}</p>}
        </div>
      )}
    </CardBody>
  )
}

/** Requirements that the app lacks before it can choose FAPI 2.0: keys, redirect URIs with https, or signed requests of CIBA. */
function useMissing(app: ClientInfo, now: Advanced): 'keys' | 'https' | 'ciba' | undefined {
  const uris = useQuery({ ...redirectUris(useAppContext(), app.client_id), enabled: app.type !== 'service' }).data ?? []
  if (isFapi2(now)) return undefined
  const byCertificate = now.token_endpoint_auth_method === 'tls_client_auth'
  if (now.jwks === null && now.jwks_uri === null && !byCertificate) return 'keys'
  if (app.type !== 'native' && uris.some((uri) => uri.startsWith('http:'))) return 'https'
  const signedBy = now.backchannel_authentication_request_signing_alg ?? 'RS256'
  return now.backchannel_token_delivery_mode !== null && signedBy === 'RS256' ? 'ciba' : undefined
}
