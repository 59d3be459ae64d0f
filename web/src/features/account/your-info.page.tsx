import { useParams } from '@tanstack/react-router'
import type { UserInfo } from '@vrata/contract/account'
import { paths } from '@vrata/contract/page-addresses'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { EmailAddress } from '../../ui/content/email-address.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'
import { TextLink } from '../../ui/navigation/link.tsx'
import { PendingEmail } from './email/pending-email.tsx'
import { INFO_ENTRIES, INFO_NAMES, type InfoName } from './info-entries.ts'
import { PictureCard } from './picture/picture-card.tsx'
import { useInfoDialog } from './use-info-dialog.ts'

/** Entries of the profile: value, visibility and the address of the dialog that changes it. */
export function YourInfoPage() {
  const { t, rich } = useI18n()
  const user = useUser()
  const { info } = useParams({ strict: false }) as { info?: string }
  useInfoDialog(info)
  return (
    <>
      <PageHead
        title={t('menu.title.your_info')}
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
  const { icon, label, seen, value } = INFO_ENTRIES[name]
  return (
    <Row
      icon={icon}
      label={i18n.t(label)}
      text={i18n.t(`account.seen.${seen}`)}
      value={<EmailAddress>{value(user, i18n) || i18n.t('account.none')}</EmailAddress>}
      long
      href={paths.info(name)}
    />
  )
}
