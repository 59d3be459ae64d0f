import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { constraintsOf } from '../../../lib/api/constraints.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { setClientInfo } from '../../../lib/clients/client-queries.ts'
import { useI18n } from '../../../lib/i18n.tsx'
import { can } from '../../../lib/organizations/allowed-calls.ts'
import { useSavedFields } from '../../../lib/saved-fields/use-saved-fields.tsx'
import { useUser } from '../../../lib/session.ts'
import { TextField } from '../../../ui/form/field.tsx'
import { MultilineField } from '../../../ui/form/multiline-field.tsx'
import { Card, CardBody } from '../../../ui/layout/card.tsx'
import { ClientIconField } from './client-icon-field.tsx'

type FieldName = 'name' | 'description' | 'home_page_url' | 'privacy_policy_url' | 'terms_of_service_url'

/** Each field is saved on blur or Enter and shows its own state and error. */
export function ClientInfoForm({ app, onName }: { app: ClientInfo; onName: (name: string) => void }) {
  const { t } = useI18n()
  const context = useAppContext()
  const readOnly = !can(useUser(), clients.updateClientInfo)
  const { name, description, home_page_url, privacy_policy_url, terms_of_service_url } = app
  const saved = useSavedFields<FieldName>({
    values: { name, description, home_page_url, privacy_policy_url, terms_of_service_url },
    save: async (name, value) => {
      const answer = await context.api(clients.updateClientInfo, { id: app.client_id, [name]: value })
      if (answer.ok) setClientInfo(context, answer.data)
      return answer
    },
  })

  function field(name: FieldName) {
    const { type: _, ...constraints } = constraintsOf(clients.updateClientInfo, name)
    const optional = name === 'name' ? {} : { optional: t('menu.optional') }
    return { ...saved.field(name), label: t(`clients.${name}`), readOnly, ...optional, ...constraints }
  }

  return (
    <Card>
      <CardBody className="space-y-5">
        <ClientIconField app={app} />
        <form {...saved.form} className="space-y-5">
          {/* Enter submits a form of several fields only if it has a submit button. */}
          <button type="submit" hidden />
          <TextField {...field('name')} required onInput={(event) => onName(event.currentTarget.value)} />
          <MultilineField {...field('description')} rows={3} />
          <TextField {...field('home_page_url')} type="url" placeholder="https://" />
          <TextField {...field('privacy_policy_url')} type="url" placeholder="https://" />
          <TextField {...field('terms_of_service_url')} type="url" placeholder="https://" />
        </form>
      </CardBody>
    </Card>
  )
}
