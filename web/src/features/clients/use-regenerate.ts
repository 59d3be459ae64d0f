import type { ClientInfo } from '@vrata/contract/clients'
import * as clients from '@vrata/contract/clients'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { useWires } from '../../lib/wires.tsx'
import { ask } from '../../ui/ask.ts'
import { keepInfo } from './data.ts'

/**
 * Asks whether to replace the secret and how soon the old one ends; where an app has none, whether to make one. Answers
 * the new secret. The password is asked for on the way, by the call itself (`lib/api.ts`).
 */
export function useRegenerate(app: ClientInfo): () => Promise<string | undefined> {
  const { t } = useI18n()
  const wires = useWires()
  const { refusal } = useRefusal()
  const replaces = app.secret_hint !== null

  return async () => {
    let secret: string | undefined
    await ask({
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
      async send({ old }) {
        const answer = await wires.api(clients.regenerateSecret, { id: app.client_id, grace: old === 'keep' })
        if (!answer.ok) return refusal(answer)
        const { client_secret, ...facts } = answer.data
        keepInfo(wires, { ...app, ...facts })
        secret = client_secret
      },
    })
    return secret
  }
}
