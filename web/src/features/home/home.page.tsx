import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { accountName } from '../../ui/account-card.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Picture } from '../../ui/picture.tsx'
import { DeletionUndone } from './deletion-undone.tsx'
import { DevelopersCard } from './developers-card.tsx'
import { InvitationsCard } from './invitations-card.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { SecurityCheck } from './security-check.tsx'
import { Tiles } from './tiles.tsx'

/** Who is here, what needs a look, and the ways on. */
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
      <InvitationsCard />
      <DeletionUndone />
      <SecurityCheck user={user} />
      <Tiles />
      <RecentActivity />
      <DevelopersCard />
    </>
  )
}
