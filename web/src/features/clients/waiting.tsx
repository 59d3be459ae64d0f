import type { UseQueryResult } from '@tanstack/react-query'
import { useId } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { Card, CardHead } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'

/** A card whose content is on its way, or did not come. */
export function Waiting({ title, query }: { title: string; query: Pick<UseQueryResult, 'error' | 'refetch'> }) {
  const { t } = useI18n()
  const id = useId()
  if (query.error) {
    return (
      <Card>
        <ErrorState title={title} text={t('clients.failed_text')} onRetry={() => void query.refetch()} />
      </Card>
    )
  }
  return (
    <Card aria-labelledby={id}>
      <CardHead id={id} title={title} />
      <SkeletonRows rows={2} label={t('clients.loading')} />
    </Card>
  )
}
