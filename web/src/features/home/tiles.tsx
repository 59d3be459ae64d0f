import { useQuery } from '@tanstack/react-query'
import { paths } from '@vrata/contract/page-addresses'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { useUser } from '../../lib/session.ts'
import { EmailAddress } from '../../ui/content/email-address.tsx'
import { AppsIcon, EyeIcon, PersonIcon } from '../../ui/icons/icons.tsx'
import { LinkTile } from '../../ui/identity/app-tile.tsx'
import { connectedApps } from './queries.ts'

/** Links to the main sections, each with a fact. */
export function Tiles() {
  const { t } = useI18n()
  const { email, allow_personalized_ads } = useUser()
  const apps = useQuery(connectedApps(useAppContext())).data
  return (
    <nav aria-label={t('menu.title.home')} className="grid gap-3 sm:grid-cols-3 sm:gap-4">
      <LinkTile
        icon={<PersonIcon />}
        title={t('menu.title.your_info')}
        text={<EmailAddress>{email}</EmailAddress>}
        href={paths.yourInfo}
      />
      <LinkTile
        icon={<EyeIcon />}
        title={t('menu.title.privacy')}
        text={t('home.tile.privacy', { ads: allow_personalized_ads ? 'on' : 'off' })}
        href={paths.privacy}
      />
      <LinkTile
        icon={<AppsIcon />}
        title={t('menu.title.connected_apps')}
        text={apps ? t('home.tile.apps', { count: apps.length }) : t('home.tile.apps_unknown')}
        href={paths.connectedApps}
      />
    </nav>
  )
}
