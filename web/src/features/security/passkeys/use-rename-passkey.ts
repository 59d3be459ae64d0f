import { LIMITS, security } from '@vrata/contract'
import type { PasskeyInfo } from '@vrata/contract/security'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { showDialog } from '../../../ui/dialog/show-dialog.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { reloadPasskeys } from './queries.ts'

/** Renames a passkey. */
export function useRenamePasskey() {
  const { t } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()

  return ({ id, name }: Pick<PasskeyInfo, 'id' | 'name'>) =>
    showDialog({
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
      async onSubmit({ name = '' }) {
        const answer = await context.api(security.renamePasskey, { id, name })
        if (!answer.ok) return formErrors(answer)
        toast(t('security.passkeys.renamed'))
        await reloadPasskeys(context)
      },
    })
}
