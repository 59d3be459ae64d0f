import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/content/copy-button.tsx'
import { AlertIcon } from '../../ui/icons/icons.tsx'

/** Invitation link, shown only once. */
export function InvitationLink({ link, onClose }: { link: string; onClose: () => void }) {
  const { t } = useI18n()
  return (
    <div className="space-y-5">
      <div>
        <p className="mb-1.5 font-semibold">{t('members.invite.link')}</p>
        <div className="flex items-center gap-3 rounded-control border border-line bg-sunken py-1.5 pr-1.5 pl-3.5">
          <code className="min-w-0 grow font-mono text-small break-all select-all">{link}</code>
          <CopyButton text={link} what={t('members.invite.link')} />
        </div>
      </div>
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
