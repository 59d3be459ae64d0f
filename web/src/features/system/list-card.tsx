import type { ReactNode } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { Card, CardBody, CardHead } from '../../ui/layout/card.tsx'
import { Rows } from '../../ui/layout/row.tsx'

type Props = {
  title: string
  text: string
  action?: ReactNode
  /** Undefined while the list is loading or has failed to. */
  rows: readonly ReactNode[] | undefined
  failed: boolean
  onRetry: () => void
  /** Said instead of an empty list. */
  none: string
  children?: ReactNode
}

/** A card with a list; `children` follow it. */
export function ListCard({ title, text, action, rows, failed, onRetry, none, children }: Props) {
  const { t } = useI18n()
  return (
    <Card>
      <CardHead title={title} text={text} action={action} />
      {rows?.length ? (
        <Rows label={title}>{rows}</Rows>
      ) : rows ? (
        <CardBody>
          <p className="text-muted">{none}</p>
        </CardBody>
      ) : failed ? (
        <ErrorState title={t('system.failed')} text={t('system.failed_text')} onRetry={onRetry} />
      ) : (
        <SkeletonRows rows={2} label={t('system.loading')} />
      )}
      {children}
    </Card>
  )
}
