import type { UserStatus } from '@vrata/contract/admin-users'
import { useI18n } from '../../lib/i18n.tsx'
import { Badge, type BadgeLook } from '../../ui/feedback/badge.tsx'

const LOOKS: Record<UserStatus, BadgeLook> = {
  active: 'on',
  unconfirmed: 'off',
  disabled: 'danger',
  deleting: 'danger',
}

/** State of an account. */
export function StatusBadge({ status }: { status: UserStatus }) {
  const { t } = useI18n()
  return <Badge look={LOOKS[status]}>{t(`admin-users.status.${status}`)}</Badge>
}
