import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { accountName } from '../../ui/identity/account-card.tsx'
import { Picture } from '../../ui/identity/picture.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { AppRequestsCard } from './app-requests-card.tsx'
import { DeletionUndone } from './deletion-undone.tsx'
import { DevelopersCard } from './developers-card.tsx'
import { PendingInvitationsCard } from './pending-invitations-card.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { SecurityCheck } from './security-check.tsx'
import { Tiles } from './tiles.tsx'

/** Home page: greeting, invitations, security check, links and recent activity. */
export function HomePage() {
  const { t } = useI18n()
  const user = useUser()
  return (
    <>
      <PageHead
        picture={<Picture kind="user" url={user.profile_picture} name={accountName(user)} size={72} />}
        title={t('home.hello', { name: user.first_name || 'none' })}
        text={t('home.text')}
      />
      <AppRequestsCard />
      <PendingInvitationsCard />
      <DeletionUndone />
      <SecurityCheck user={user} />
      <Tiles />
      <RecentActivity />
      <DevelopersCard />
    </>
  )
}
