import { useQuery } from '@tanstack/react-query'
import { useHydrated, useParams } from '@tanstack/react-router'
import { CallError, requestIdOf } from '../../../lib/api/call-query.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { useSession } from '../../../lib/session.ts'
import { ErrorCard } from '../../../ui/feedback/error-card.tsx'
import { SkeletonRows } from '../../../ui/feedback/skeleton.tsx'
import { PublicCard } from '../../../ui/layout/public-card.tsx'
import { InvitationCard } from './invitation-card.tsx'
import { InvitationEnded } from './invitation-ended.tsx'
import { invitation } from './queries.ts'

/** Page of an invitation link for every state of the visitor and the invitation. */
export function AcceptInvitationPage() {
  const { t } = useI18n()
  const context = useAppContext()
  const { token = '' } = useParams({ strict: false })
  const hydrated = useHydrated()
  const { data, error, refetch } = useQuery({ ...invitation(context, token), enabled: hydrated })
  const user = useSession()

  if (error instanceof CallError && (error.problem.code === 'invalid_token' || error.http === 400)) {
    return <InvitationEnded state="unknown" />
  }
  if (error) {
    return (
      <ErrorCard
        title={t('invitations.failed')}
        text={t('invitations.failed_text')}
        onRetry={() => void refetch()}
        code={requestIdOf(error)}
      />
    )
  }
  if (!data) {
    return (
      <PublicCard title={t('invitations.page_title')}>
        <SkeletonRows rows={3} label={t('invitations.loading')} />
      </PublicCard>
    )
  }
  if (data.state !== 'waiting') return <InvitationEnded state={data.state} />
  return <InvitationCard invitation={data} token={token} user={user} />
}
