import type { ClientInfo } from '@vrata/contract/clients'
import * as scopes from '@vrata/contract/scopes'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { useWires } from '../../lib/wires.tsx'
import { ask } from '../../ui/ask.ts'
import { toast } from '../../ui/toast.ts'
import { forgetScopes } from './scope-data.ts'

/** Says whom it would hit, then removes a scope. */
export function useRemoveScope({ client_id: id }: ClientInfo, onRemoved: () => void) {
  const { t } = useI18n()
  const wires = useWires()
  const { refusal, sentence } = useRefusal()

  return async (key: string) => {
    const use = await wires.api(scopes.getScopeUse, { id, key })
    if (!use.ok) return toast(sentence(use))
    const { people, more_people, apps, more_apps } = use.data
    const names = apps.map(({ name }) => name).join(', ')
    const asked = names
      ? t(more_apps ? 'scopes.delete.more_apps' : 'scopes.delete.apps', { apps: names })
      : t('scopes.delete.no_apps')
    const answer = await ask({
      title: t('scopes.delete.ask', { scope: key }),
      message: (
        <>
          <span className="block font-semibold text-ink">
            {t(more_people ? 'scopes.delete.more_people' : 'scopes.delete.people', { count: people })}
          </span>
          <span className="block font-semibold text-ink">{asked}</span>
          <span className="mt-3 block">{t('scopes.delete.text')}</span>
        </>
      ),
      buttons: [{ label: t('ui.cancel') }, { label: t('scopes.delete.do') }],
      danger: true,
      async send() {
        const answer = await wires.api(scopes.removeScope, { id, key })
        if (!answer.ok) return refusal(answer)
      },
    })
    if (!answer) return
    toast(t('scopes.deleted'))
    onRemoved()
    await forgetScopes(wires)
  }
}
