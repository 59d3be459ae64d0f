import { useQuery } from '@tanstack/react-query'
import * as branding from '@vrata/contract/branding'
import { callQuery, requestIdOf } from '../../lib/api/call-query.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { BrandingForm } from './branding-form.tsx'

/** Name, color, pictures and texts of the installation, beside a preview. Administrators change them. */
export function BrandingPage() {
  const { t } = useI18n()
  const { data, error, refetch } = useQuery(callQuery(useAppContext(), branding.getBranding, {}))
  return (
    <div className="space-y-6">
      <PageHead title={t('branding.title')} text={t('branding.text')} />
      {data ? (
        <BrandingForm saved={data} />
      ) : (
        <Card>
          {error ? (
            <ErrorState
              title={t('operators.failed')}
              text={t('operators.failed_text')}
              onRetry={() => void refetch()}
              code={requestIdOf(error)}
            />
          ) : (
            <SkeletonRows rows={8} label={t('branding.loading')} />
          )}
        </Card>
      )}
    </div>
  )
}
