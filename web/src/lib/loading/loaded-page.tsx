import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { CallError, requestIdOf } from '../api/call-query.ts'
import { useI18n } from '../i18n.tsx'

type LoadedPageProps<T> = {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>
  /** File of the sentences that say that it does not exist, could not be loaded, or is loading. */
  phrases: 'admin-organizations' | 'admin-users' | 'groups'
  /** Address of the list that contains it. */
  list: string
  children: (data: T) => ReactNode
}

/** A page of operators about one organization, person or group: what `children` makes of it, or why it is not shown. */
export function LoadedPage<T>({ query: { data, error, refetch }, phrases, list, children }: LoadedPageProps<T>) {
  const { t } = useI18n()
  // 400: a key that no group can have.
  if (error instanceof CallError && (error.http === 404 || error.http === 400))
    return (
      <EmptyState
        heading="h1"
        title={t(`${phrases}.missing`)}
        text={t(`${phrases}.missing_text`)}
        action={<ButtonLink href={list}>{t(`${phrases}.back`)}</ButtonLink>}
      />
    )
  if (data) return children(data)
  if (error)
    return (
      <ErrorState
        heading="h1"
        title={t(`${phrases}.failed_one`)}
        text={t(`${phrases}.failed_text`)}
        onRetry={() => void refetch()}
        code={requestIdOf(error)}
      />
    )
  return <SkeletonRows rows={6} label={t(`${phrases}.loading`)} />
}
