import { useQuery } from '@tanstack/react-query'
import { useI18n } from '../../lib/i18n.tsx'
import { useWires } from '../../lib/wires.tsx'
import { paths } from '../../paths.ts'
import { LinkTile } from '../../ui/app-tile.tsx'
import { AppsIcon, EyeIcon, PersonIcon } from '../../ui/icons.tsx'
import { connectedApps } from './data.ts'

/** The three ways on. */
export function Tiles() {
  const { t } = useI18n()
  const apps = useQuery(connectedApps(useWires())).data
  return (
    <nav aria-label={t('ui.title.home')} className="grid gap-3 sm:grid-cols-3 sm:gap-4">
      <LinkTile
        icon={<PersonIcon />}
        title={t('ui.title.your_info')}
        text={t('home.tile.info')}
        href={paths.yourInfo}
      />
      <LinkTile icon={<EyeIcon />} title={t('ui.title.privacy')} text={t('home.tile.privacy')} href={paths.privacy} />
      <LinkTile
        icon={<AppsIcon />}
        title={t('ui.title.connected_apps')}
        text={apps ? t('home.tile.apps', { count: apps.length }) : t('home.tile.apps_unknown')}
        href={paths.connectedApps}
      />
    </nav>
  )
}
