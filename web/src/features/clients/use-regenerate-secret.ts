import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { clientInfo, setClientInfo } from '../../lib/clients/client-queries.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { showDialog } from '../../ui/dialog/show-dialog.ts'

/**
 * Asks whether to replace or create the secret and when the old one ends. Returns the new secret. The call asks for
 * reauthentication (`shell/reauthentication/reauthenticate.ts`).
 */
export function useRegenerateSecret(app: ClientInfo): () => Promise<string | undefined> {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const replaces = app.secret_hint !== null

  return async () => {
    let secret: string | undefined
    async function replace(old: string | undefined) {
      const answer = await context.api(clients.regenerateSecret, { id: app.client_id, grace: old === 'keep' })
      const { queryKey } = clientInfo(context, app.client_id)
      if (!answer.ok) {
        // If only the answer was lost, there is a new secret that nobody knows.
        void context.queries.invalidateQueries({ queryKey })
        return formErrors(answer)
      }
      const { client_secret, ...facts } = answer.data
      setClientInfo(context, { ...(context.queries.getQueryData(queryKey) ?? app), ...facts })
      secret = client_secret
    }

    await showDialog({
      title: t(replaces ? 'clients.secret.ask' : 'clients.secret.make_ask'),
      message: t(replaces ? 'clients.secret.ask_text' : 'clients.secret.make_text', { app: app.name }),
      fields: replaces
        ? [
            {
              kind: 'list',
              name: 'old',
              label: t('clients.secret.old'),
              value: 'keep',
              required: true,
              options: [
                { value: 'keep', label: t('clients.secret.old.keep') },
                { value: 'end', label: t('clients.secret.old.end') },
              ],
            },
          ]
        : [],
      buttons: [
        { label: t('ui.cancel') },
        { label: t(replaces ? 'clients.secret.regenerate' : 'clients.secret.make') },
      ],
      danger: replaces,
      onSubmit: ({ old }) => replace(old),
    })
    return secret
  }
}
