import type { CallOf } from '@vrata/contract'
import type { AdminClient } from '@vrata/contract/admin-clients'
import * as adminClients from '@vrata/contract/admin-clients'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useDecision } from '../../lib/decision.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { toast } from '../../ui/feedback/toast.ts'

const FIELDS = ['enabled', 'verified', 'trusted'] as const

/** Returns a function that asks what operators decide about an app, and changes it. One that waits or was rejected is approved first. */
export function useChangeClient() {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const { decisionFields, decisionIn, decide } = useDecision()

  async function save(changes: CallOf<typeof adminClients.updateAdminClient>) {
    const answer = await context.api(adminClients.updateAdminClient, changes)
    if (!answer.ok) return formErrors(answer)
    await context.queries.invalidateQueries({ queryKey: [adminClients.listAdminClients.path] })
    toast(t('admin-clients.changed'))
    return undefined
  }

  return (app: AdminClient) => {
    const { client_id: id, name, approval } = app
    if (approval !== null) return decide(app, (decision) => save({ id, ...decision }))
    return showDialog({
      title: t('admin-clients.change', { name }),
      fields: [
        ...FIELDS.map((field) => ({
          kind: 'select' as const,
          name: field,
          label: t(`admin-clients.${field}`),
          hint: t(`admin-clients.${field}.hint`),
          value: String(app[field]),
          options: [
            { value: 'true', label: t('admin-clients.yes') },
            { value: 'false', label: t('admin-clients.no') },
          ],
        })),
        ...decisionFields(approval),
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('ui.save') }],
      async onSubmit(values) {
        const [enabled, verified, trusted] = FIELDS.map((field) => values[field] === 'true')
        // What is not changed is not sent: an app that its developers have disabled stays theirs.
        const state = enabled === app.enabled ? {} : { enabled }
        return await save({ id, ...state, verified, trusted, ...decisionIn(values, approval) })
      },
    })
  }
}
