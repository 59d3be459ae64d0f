import type { AdminClient } from '@vrata/contract/admin-clients'
import { Badge } from '../../ui/feedback/badge.tsx'
import { useI18n } from '../i18n.tsx'

/** Marks of an app for operators: whether it works, and their decisions about it. */
export function ClientMarks({ app: { enabled, verified, trusted, approval } }: { app: AdminClient }) {
  const { t } = useI18n()
  return (
    <span className="flex flex-wrap gap-1 sm:justify-end">
      {approval && (
        <Badge look={approval === 'pending' ? 'accent' : 'off'}>{t(`admin-clients.state.${approval}`)}</Badge>
      )}
      {!enabled && !approval && <Badge look="danger">{t('admin-clients.state.disabled')}</Badge>}
      {trusted && <Badge look="on">{t('admin-clients.trusted')}</Badge>}
      {verified && <Badge look="on">{t('admin-clients.verified')}</Badge>}
    </span>
  )
}
