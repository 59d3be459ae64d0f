import type { CallOf } from '@vrata/contract'
import type { AdminClient } from '@vrata/contract/admin-clients'
import * as adminClients from '@vrata/contract/admin-clients'
import { changedFrom } from '../../lib/api/changed-from.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useDecision } from '../../lib/approval/decision.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { dialogAfterWait } from '../../ui/dialog/dialog-after-wait.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { accessErrors, accessFields, accessOf, mergedAccess } from '../clients/public.ts'

const FIELDS = ['enabled', 'verified', 'trusted'] as const

/** Returns a function that asks what operators decide about an app, and changes it. One that waits or was rejected is approved first. */
export function useChangeClient() {
  const i18n = useI18n()
  const { t } = i18n
  const context = useAppContext()
  const { errorMessage, formErrors } = useFormErrors()
  const { decisionFields, decisionIn, decide } = useDecision()

  async function save(changes: CallOf<typeof adminClients.updateAdminClient>) {
    const answer = await context.api(adminClients.updateAdminClient, changes)
    // Also after an error: the app may have been changed or deleted meanwhile.
    const renewed = context.queries.invalidateQueries({ queryKey: [adminClients.listAdminClients.path] })
    if (!answer.ok)
      return accessErrors(i18n, answer.problem.fields?.['access.groups'] === 'unknown', formErrors(answer))
    await renewed
    toast(t('admin-clients.changed'))
    return undefined
  }

  return async (listed: AdminClient) => {
    const { client_id: id, approval } = listed
    if (approval !== null) return decide(listed, (decision) => save({ id, ...decision }))
    const showDialog = dialogAfterWait()
    const hasPhrases = context.i18n.load(['clients']).then(
      () => true,
      () => false,
    )
    const read = await context.api(adminClients.getAdminClient, { id })
    if (!read.ok) return toast(errorMessage(read))
    if (!(await hasPhrases)) return toast(t('ui.no_answer'))
    const { name, access, ...app } = read.data
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
        ...accessFields(i18n, access),
        ...decisionFields(approval),
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('ui.save') }],
      async onSubmit(values) {
        const [enabled, verified, trusted] = FIELDS.map((field) => values[field] === 'true')
        // An app that its developers have disabled stays theirs.
        const state = changedFrom(app, { enabled, verified, trusted })
        const changes = { id, ...state, ...decisionIn(values, approval) }
        const chosen = accessOf(values)
        if (JSON.stringify(chosen) === JSON.stringify(access)) return await save(changes)
        const now = await context.api(adminClients.getAdminClient, { id })
        if (!now.ok) return formErrors(now)
        return await save({ ...changes, access: mergedAccess(access, chosen, now.data.access) })
      },
    })
  }
}
