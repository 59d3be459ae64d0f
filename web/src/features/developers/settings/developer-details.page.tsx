import { useQuery } from '@tanstack/react-query'
import { developers } from '@vrata/contract'
import { requestIdOf } from '../../../lib/api/call-query.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { can } from '../../../lib/organizations/allowed-calls.ts'
import { SaveStatesProvider } from '../../../lib/saved-fields/save-states.tsx'
import { useUser } from '../../../lib/session.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { currentDeveloper } from '../queries.ts'
import { DeleteDeveloperCard } from './delete-developer-card.tsx'
import { DeveloperFacts, DeveloperForm } from './developer-form.tsx'

/** Details of the organization, its logo and its deletion. */
export function DeveloperDetailsPage() {
  const { t } = useI18n()
  const user = useUser()
  const { data, error, refetch } = useQuery(currentDeveloper(useAppContext()))
  if (!data) {
    return (
      <Card>
        {error ? (
          <ErrorState
            title={t('organization.failed')}
            text={t('organization.failed_text')}
            onRetry={() => void refetch()}
            code={requestIdOf(error)}
          />
        ) : (
          <SkeletonRows rows={4} label={t('organization.loading')} />
        )}
      </Card>
    )
  }
  return (
    <div key={data.developer_id} className="space-y-6">
      {can(user, developers.updateDeveloper) ? (
        <SaveStatesProvider>
          <DeveloperForm developer={data} />
        </SaveStatesProvider>
      ) : (
        <DeveloperFacts developer={data} />
      )}
      {can(user, developers.deleteDeveloper) && <DeleteDeveloperCard developer={data} />}
    </div>
  )
}
