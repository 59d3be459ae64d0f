import { security } from '@vrata/contract'
import type { PasskeyInfo } from '@vrata/contract/security'
import { useFormErrors } from '../../../lib/api/form-errors.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { formatTime } from '../../../lib/format/time.ts'
import { useI18n } from '../../../lib/i18n.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { showDialog } from '../../../ui/dialog/show-dialog.ts'
import { toast } from '../../../ui/feedback/toast.ts'
import { KeyIcon } from '../../../ui/icons/icons.tsx'
import { EditIcon, TrashIcon } from '../../../ui/icons/signed-in-icons.tsx'
import { Row } from '../../../ui/layout/row.tsx'
import { reloadPasskeys } from './queries.ts'
import { useRenamePasskey } from './use-rename-passkey.ts'

/** A passkey with its dates and actions. */
export function PasskeyRow({ passkey: { id, name, created_at, last_used_at, synced } }: { passkey: PasskeyInfo }) {
  const { t, format } = useI18n()
  const context = useAppContext()
  const { formErrors } = useFormErrors()
  const rename = useRenamePasskey()
  const facts = [
    t('security.passkeys.added_at', { when: format.date(created_at, 'medium') }),
    last_used_at
      ? t('security.passkeys.used_at', { when: formatTime(last_used_at, format).words })
      : t('security.passkeys.unused'),
    synced ? t('security.passkeys.synced') : null,
  ]

  function remove() {
    return showDialog({
      title: t('security.passkeys.remove_title', { name }),
      message: t('security.passkeys.remove_text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('security.passkeys.remove') }],
      danger: true,
      async onSubmit() {
        const answer = await context.api(security.removePasskey, { id })
        if (!answer.ok && answer.problem.code !== 'not_found') return formErrors(answer)
        toast(t('security.passkeys.removed'))
        await reloadPasskeys(context)
      },
    })
  }

  return (
    <Row
      icon={KeyIcon}
      label={name}
      text={facts.filter(Boolean).join(' · ')}
      action={
        <span className="-mr-3 flex">
          <IconButton label={t('security.passkeys.rename_one', { name })} onClick={() => void rename({ id, name })}>
            <EditIcon />
          </IconButton>
          <IconButton label={t('security.passkeys.remove_one', { name })} onClick={() => void remove()}>
            <TrashIcon />
          </IconButton>
        </span>
      }
    />
  )
}
