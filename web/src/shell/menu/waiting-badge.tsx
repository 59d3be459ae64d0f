import { useI18n } from '../../lib/i18n.tsx'
import { Badge } from '../../ui/feedback/badge.tsx'

/** How many wait for approval. */
export function WaitingBadge({ count }: { count: number }) {
  const { t, format } = useI18n()
  return (
    <Badge look="accent">
      <span aria-hidden="true">{format.number(count)}</span>
      <span className="sr-only">{t('menu.approval.waiting.count', { count })}</span>
    </Badge>
  )
}
