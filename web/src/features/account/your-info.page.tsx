import { useParams } from '@tanstack/react-router'
import type { UserInfo } from '@vrata/contract/account'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { TextLink } from '../../ui/link.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Row, Rows } from '../../ui/row.tsx'
import { INFO_NAMES, INFOS, type InfoName } from './infos.ts'
import { PendingEmail } from './pending-email.tsx'
import { PictureCard } from './picture-card.tsx'
import { useInfoDialog } from './use-info-dialog.ts'

/** Who I am, entry by entry: its value, who can see it, and the way to change it, which has an address of its own. */
export function YourInfoPage() {
  const { t, rich } = useI18n()
  const user = useUser()
  const { info } = useParams({ strict: false }) as { info?: string }
  useInfoDialog(info)
  return (
    <>
      <PageHead
        title={t('ui.title.your_info')}
        text={rich('account.text', { apps: (words) => <TextLink href={paths.connectedApps}>{words}</TextLink> })}
      />
      <PictureCard user={user} info={info} />
      <Card aria-label={t('account.about')}>
        <Rows>
          {INFO_NAMES.flatMap((name) => [
            <InfoRow key={name} name={name} user={user} />,
            name === 'email' && (user.pending_email || !user.email_verified) && (
              <PendingEmail key="pending" user={user} />
            ),
          ])}
        </Rows>
      </Card>
    </>
  )
}

function InfoRow({ name, user }: { name: InfoName; user: UserInfo }) {
  const i18n = useI18n()
  const { icon, label, seen, value } = INFOS[name]
  return (
    <Row
      icon={icon}
      label={i18n.t(label)}
      text={i18n.t(`account.seen.${seen}`)}
      value={value(user, i18n) || i18n.t('account.none')}
      long
      href={paths.info(name)}
    />
  )
}
