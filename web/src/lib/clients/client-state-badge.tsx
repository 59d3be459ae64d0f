import type { ClientInfo } from '@vrata/contract/clients'
import { Badge } from '../../ui/feedback/badge.tsx'
import { useI18n } from '../i18n.tsx'

/** Whether people can sign in to an app, and whether it waits for approval. */
export function ClientStateBadge({ app: { approval, enabled } }: { app: Pick<ClientInfo, 'approval' | 'enabled'> }) {
  const { t } = useI18n()
  if (approval) return <Badge look={approval === 'pending' ? 'accent' : 'off'}>{t(`menu.approval.${approval}`)}</Badge>
  return <Badge look={enabled ? 'on' : 'off'}>{t(enabled ? 'clients.enabled' : 'clients.disabled')}</Badge>
}
