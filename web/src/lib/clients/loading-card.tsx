import type { UseQueryResult } from '@tanstack/react-query'
import { useId } from 'react'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { Card, CardHead } from '../../ui/layout/card.tsx'
import { requestIdOf } from '../api/call-query.ts'
import { useI18n } from '../i18n.tsx'

/** A card for loading and failed queries. */
export function LoadingCard({ title, query }: { title: string; query: Pick<UseQueryResult, 'error' | 'refetch'> }) {
  const { t } = useI18n()
  const id = useId()
  if (query.error) {
    return (
      <Card>
        <ErrorState
          title={title}
          text={t('clients.failed_text')}
          onRetry={() => void query.refetch()}
          code={requestIdOf(query.error)}
        />
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
