import type { ClientInfo } from '@vrata/contract/clients'
import * as scopes from '@vrata/contract/scopes'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { dialogAfterWait } from '../../ui/dialog/dialog-after-wait.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { invalidateScopes } from './queries.ts'

/** Shows who is affected, then removes a scope. */
export function useRemoveScope({ client_id: id }: ClientInfo, onRemoved: () => void) {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors, errorMessage } = useFormErrors()

  return async (key: string) => {
    const showDialog = dialogAfterWait()
    const use = await context.api(scopes.getScopeUsage, { id, key })
    if (!use.ok) return toast(errorMessage(use))
    const { people, more_people, apps, more_apps } = use.data
    const names = apps.map(({ name }) => name).join(', ')
    const appsText = names
      ? t(more_apps ? 'scopes.delete.more_apps' : 'scopes.delete.apps', { apps: names })
      : t('scopes.delete.no_apps')
    await showDialog({
      title: t('scopes.delete.ask', { scope: key }),
      message: (
        <>
          <span className="block font-semibold text-ink">
            {t(more_people ? 'scopes.delete.more_people' : 'scopes.delete.people', { count: people })}
          </span>
          <span className="block font-semibold text-ink">{appsText}</span>
          <span className="mt-3 block">{t('scopes.delete.text')}</span>
        </>
      ),
      buttons: [{ label: t('ui.cancel') }, { label: t('scopes.delete.do') }],
      danger: true,
      async onSubmit() {
        const answer = await context.api(scopes.removeScope, { id, key })
        if (!answer.ok) return formErrors(answer)
        onRemoved()
        // Before the dialog closes, which looks for a place for the focus.
        await invalidateScopes(context)
        toast(t('scopes.deleted'))
      },
    })
  }
}
