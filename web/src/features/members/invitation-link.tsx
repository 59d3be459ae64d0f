import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/content/copy-field.tsx'
import { AlertIcon } from '../../ui/icons/icons.tsx'

/** Invitation link, shown only once. */
export function InvitationLink({ link, onClose }: { link: string; onClose: () => void }) {
  const { t } = useI18n()
  return (
    <div className="space-y-5">
      <CopyField label={t('members.invite.link')} text={link} />
      <p className="flex gap-3 rounded-control bg-accent-soft px-4 py-3 text-on-accent">
        <AlertIcon className="mt-0.5" />
        <span className="min-w-0">{t('members.invite.once')}</span>
      </p>
      <Button look="primary" wide onClick={onClose}>
        {t('members.invite.close')}
      </Button>
    </div>
  )
}
