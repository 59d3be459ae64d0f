import { LIMITS, security } from '@vrata/contract'
import type { PasskeyInfo } from '@vrata/contract/security'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { useWires } from '../../lib/wires.tsx'
import { ask } from '../../ui/ask.ts'
import { toast } from '../../ui/toast.ts'
import { reloadPasskeys } from './data.ts'

/** Asks for another name of a passkey. */
export function useRename() {
  const { t } = useI18n()
  const wires = useWires()
  const { refusal } = useRefusal()

  return ({ id, name }: Pick<PasskeyInfo, 'id' | 'name'>) =>
    ask({
      title: t('security.passkeys.name_title'),
      message: t('security.passkeys.name_text'),
      fields: [
        {
          kind: 'text',
          name: 'name',
          label: t('security.passkeys.name'),
          value: name,
          required: true,
          maxLength: LIMITS.passkey_name_max,
        },
      ],
      buttons: [{ label: t('ui.cancel') }, { label: t('ui.save') }],
      async send({ name = '' }) {
        const answer = await wires.api(security.renamePasskey, { id, name })
        if (!answer.ok) return refusal(answer)
        toast(t('security.passkeys.renamed'))
        await reloadPasskeys(wires)
      },
    })
}
