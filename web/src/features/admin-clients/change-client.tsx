import type { AdminClient } from '@vrata/contract/admin-clients'
import * as adminClients from '@vrata/contract/admin-clients'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'
import { toast } from '../../ui/feedback/toast.ts'

/** Returns a function that asks what operators decide about an app, and changes it. */
export function useChangeClient() {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  return ({ client_id: id, name, ...app }: AdminClient) =>
    showDialog({
      title: t('admin-clients.change', { name }),
      fields: (['enabled', 'verified', 'trusted'] as const).map((field) => ({
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
      buttons: [{ label: t('ui.cancel') }, { label: t('ui.save') }],
      async onSubmit(values) {
        const [enabled, verified, trusted] = ['enabled', 'verified', 'trusted'].map((field) => values[field] === 'true')
        // What is not changed is not sent: an app that its developers have disabled stays theirs.
        const state = enabled === app.enabled ? {} : { enabled }
        const answer = await context.api(adminClients.updateAdminClient, { id, ...state, verified, trusted })
        if (!answer.ok) return formErrors(answer)
        await context.queries.invalidateQueries({ queryKey: [adminClients.listAdminClients.path] })
        toast(t('admin-clients.changed'))
        return undefined
      },
    })
}
