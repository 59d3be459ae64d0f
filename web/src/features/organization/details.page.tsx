import { useQuery } from '@tanstack/react-query'
import { developers } from '@vrata/contract'
import { useI18n } from '../../lib/i18n.tsx'
import { can, useUser } from '../../lib/session.ts'
import { useWires } from '../../lib/wires.tsx'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { organization } from './data.ts'
import { DeleteCard } from './delete-card.tsx'
import { Facts, OrganizationForm } from './organization-form.tsx'

/** What people read about who makes an app, its logo, and its end. */
export function OrganizationPage() {
  const { t } = useI18n()
  const user = useUser()
  const { data, error, refetch } = useQuery(organization(useWires()))
  if (!data) {
    return (
      <Card>
        {error ? (
          <ErrorState
            title={t('organization.failed')}
            text={t('organization.failed_text')}
            onRetry={() => void refetch()}
          />
        ) : (
          <SkeletonRows rows={4} label={t('organization.loading')} />
        )}
      </Card>
    )
  }
  return (
    <div key={data.developer_id} className="space-y-6">
      {can(user, developers.updateDeveloper) ? <OrganizationForm developer={data} /> : <Facts developer={data} />}
      {can(user, developers.deleteDeveloper) && <DeleteCard developer={data} />}
    </div>
  )
}
