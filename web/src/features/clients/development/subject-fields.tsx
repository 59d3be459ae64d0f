import type { Advanced, ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useI18n } from '../../../lib/i18n.tsx'
import { FieldSaveState } from '../../../lib/saved-fields/save-states.tsx'
import { showDialog } from '../../../ui/dialog/show-dialog.ts'
import { SelectField } from '../../../ui/form/select-field.tsx'
import { CardBody } from '../../../ui/layout/card.tsx'
import { UrlForm } from './url-form.tsx'
import { useUpdateAdvanced } from './use-update-advanced.ts'

/**
 * Subject type and sector of an app (OpenID Connect Core §8). Once people have signed in, a change of either is confirmed,
 * because the app gets another `sub` for each of them.
 */
export function SubjectFields({ app, now }: { app: ClientInfo; now: Advanced }) {
  const { t } = useI18n()
  const change = useUpdateAdvanced(app)
  const withCiba = now.backchannel_token_delivery_mode !== null

  async function confirmed(): Promise<boolean> {
    if (app.first_sign_in_at === null) return true
    const sure = await showDialog({
      title: t('clients.expert.subject_ask'),
      message: t('clients.expert.subject_ask_text', { app: app.name }),
      buttons: [{ label: t('ui.cancel') }, { label: t('clients.expert.subject_do') }],
      danger: true,
    })
    return Boolean(sure)
  }

  async function choose(control: HTMLSelectElement) {
    const subject_type = control.value as clients.SubjectType
    if (await confirmed()) await change({ subject_type })
  }

  return (
    <CardBody className="space-y-5">
      <SelectField
        status={<FieldSaveState name="subject_type" />}
        label={t('clients.expert.subject_type')}
        hint={t(withCiba ? 'clients.expert.subject_type_ciba' : 'clients.expert.subject_type_hint')}
        value={now.subject_type}
        onChange={({ target }) => void choose(target)}
      >
        {clients.SUBJECT_TYPES.map((type) => (
          <option key={type} value={type} disabled={withCiba && type === 'pairwise'}>
            {t(`clients.expert.subject_type.${type}`)}
          </option>
        ))}
      </SelectField>
      <UrlForm
        app={app}
        now={now}
        name="sector_identifier_uri"
        ask={async (uri) =>
          now.subject_type === 'public' || hostOf(uri) === hostOf(now.sector_identifier_uri) || (await confirmed())
        }
      />
    </CardBody>
  )
}

function hostOf(uri: string | null): string | undefined {
  return uri === null ? undefined : URL.parse(uri)?.host
}
