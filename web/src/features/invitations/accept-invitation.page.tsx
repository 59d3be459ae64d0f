import { useQuery } from '@tanstack/react-query'
import { useHydrated, useParams } from '@tanstack/react-router'
import { useI18n } from '../../lib/i18n.tsx'
import { useSession } from '../../lib/session.ts'
import { CallFailed } from '../../lib/use-call.ts'
import { useWires } from '../../lib/wires.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PublicCard } from '../../ui/public-card.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { invitation } from './data.ts'
import { Ended } from './ended.tsx'
import { InvitationCard } from './invitation-card.tsx'

/** The page behind the link of an invitation, for members to be, for strangers, and for those who come too late. */
export function AcceptInvitationPage() {
  const { t } = useI18n()
  const wires = useWires()
  const { token = '' } = useParams({ strict: false })
  const hydrated = useHydrated()
  const { data, error, refetch } = useQuery({ ...invitation(wires, token), enabled: hydrated })
  const user = useSession()

  if (error instanceof CallFailed && (error.problem.code === 'invalid_token' || error.http === 400)) {
    return <Ended state="unknown" />
  }
  if (error) {
    return (
      <ErrorState
        heading="h1"
        title={t('invitations.failed')}
        text={t('invitations.failed_text')}
        onRetry={() => void refetch()}
      />
    )
  }
  if (!data) {
    return (
      <PublicCard title={t('ui.title.accept_invitation')}>
        <SkeletonRows rows={3} label={t('invitations.loading')} />
      </PublicCard>
    )
  }
  if (data.state !== 'waiting') return <Ended state={data.state} />
  return <InvitationCard invitation={data} token={token} user={user} />
}
