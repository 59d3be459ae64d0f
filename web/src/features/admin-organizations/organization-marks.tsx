import type { AdminOrganization } from '@vrata/contract/admin-organizations'
import { useI18n } from '../../lib/i18n.tsx'
import { Badge } from '../../ui/feedback/badge.tsx'

/** Decisions of operators about an organization that differ from the default. */
export function OrganizationMarks({
  organization: { enabled, verified, approval },
}: {
  organization: Pick<AdminOrganization, 'enabled' | 'verified' | 'approval'>
}) {
  const { t } = useI18n()
  return (
    <span className="flex flex-wrap gap-1 sm:justify-end">
      {approval && (
        <Badge look={approval === 'pending' ? 'accent' : 'off'}>{t(`admin-organizations.state.${approval}`)}</Badge>
      )}
      {!enabled && <Badge look="danger">{t('admin-organizations.state.disabled')}</Badge>}
      {verified && <Badge look="on">{t('admin-organizations.verified')}</Badge>}
    </span>
  )
}
