import { security } from '@vrata/contract'
import type { PasskeyInfo } from '@vrata/contract/security'
import { useI18n } from '../../lib/i18n.tsx'
import { useRefusal } from '../../lib/refusal.ts'
import { shownTime } from '../../lib/time.ts'
import { useWires } from '../../lib/wires.tsx'
import { ask } from '../../ui/ask.ts'
import { IconButton } from '../../ui/button.tsx'
import { KeyIcon } from '../../ui/icons.tsx'
import { EditIcon, TrashIcon } from '../../ui/inner-icons.tsx'
import { Row } from '../../ui/row.tsx'
import { toast } from '../../ui/toast.ts'
import { reloadPasskeys } from './data.ts'
import { useRename } from './use-rename.ts'

/** One passkey: its name, since when and when last, and the two things to do with it. */
export function PasskeyRow({ passkey: { id, name, created_at, last_used_at, synced } }: { passkey: PasskeyInfo }) {
  const { t, format } = useI18n()
  const wires = useWires()
  const { refusal } = useRefusal()
  const rename = useRename()
  const facts = [
    t('security.passkeys.added_at', { when: format.date(created_at, 'medium') }),
    last_used_at
      ? t('security.passkeys.used_at', { when: shownTime(last_used_at, format).words })
      : t('security.passkeys.unused'),
    synced ? t('security.passkeys.synced') : null,
  ]

  function remove() {
    return ask({
      title: t('security.passkeys.remove_title', { name }),
      message: t('security.passkeys.remove_text'),
      buttons: [{ label: t('ui.cancel') }, { label: t('security.passkeys.remove') }],
      danger: true,
      async send() {
        const answer = await wires.api(security.removePasskey, { id })
        if (!answer.ok && answer.problem.code !== 'not_found') return refusal(answer)
        toast(t('security.passkeys.removed'))
        await reloadPasskeys(wires)
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
