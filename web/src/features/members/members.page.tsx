import { useQuery } from '@tanstack/react-query'
import * as contract from '@vrata/contract/members'
import { useState } from 'react'
import { requestIdOf } from '../../lib/api/call-query.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { can } from '../../lib/organizations/allowed-calls.ts'
import { useUser } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { PlusIcon } from '../../ui/icons/signed-in-icons.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { InvitationsCard } from './invitations-card.tsx'
import { InviteSheet } from './invite-sheet.tsx'
import { LeaveCard } from './leave-card.tsx'
import { LevelsCard } from './levels-card.tsx'
import { MembersCard } from './members-card.tsx'
import { memberList } from './queries.ts'

/** Members, invitations and levels of the organization. */
export function MembersPage() {
  const { t } = useI18n()
  const user = useUser()
  const { data, error, refetch } = useQuery(memberList(useAppContext()))
  // A new key resets the sheet each time it opens.
  const [invite, setInvite] = useState({ times: 0, open: false })
  const members = data?.filter(({ pending }) => !pending) ?? []
  const pending = data?.filter((one) => one.pending) ?? []
  const owners = members.filter(({ permission }) => permission === 'owner')
  const alone = members.length === 1 && !pending.length
  const mayInvite = can(user, contract.inviteMember)
  const inviting = mayInvite ? (
    <Button look="primary" onClick={() => setInvite(({ times }) => ({ times: times + 1, open: true }))}>
      <PlusIcon />
      {t('members.invite.do')}
    </Button>
  ) : null

  return (
    <div className="max-w-240 space-y-6">
      <PageHead title={t('members.title')} text={t('members.text')} action={data && !alone ? inviting : null} />
      {data ? (
        <>
          <MembersCard members={members} />
          {alone && (
            <Card>
              <EmptyState title={t('members.alone.title')} text={t('members.alone.text')} action={inviting} />
            </Card>
          )}
          <InvitationsCard pending={pending} />
          <LevelsCard />
          <LeaveCard onlyOwner={owners.length === 1 && owners[0]?.user.id === user.id} />
        </>
      ) : (
        <Card>
          {error ? (
            <ErrorState
              title={t('members.failed')}
              text={t('members.failed_text')}
              onRetry={() => void refetch()}
              code={requestIdOf(error)}
            />
          ) : (
            <SkeletonRows label={t('members.loading')} />
          )}
        </Card>
      )}
      {mayInvite && (
        <InviteSheet
          key={invite.times}
          open={invite.open}
          onClose={() => setInvite(({ times }) => ({ times, open: false }))}
        />
      )}
    </div>
  )
}
