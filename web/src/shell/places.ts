import type { UserInfo } from '@vrata/contract/account'
import { atLeast, type Level } from '@vrata/contract/levels'
import type { PhraseKey } from '@vrata/phrases/keys'
import { paths } from '../paths.ts'
import type { Icon } from '../ui/draw-icon.tsx'
import { AppsIcon, ArchIcon, DevicesIcon, EyeIcon, KeyIcon, PersonIcon } from '../ui/icons.tsx'
import { BookIcon, HomeIcon, MembersIcon, PeopleIcon } from '../ui/inner-icons.tsx'

/** An entry of the menus (specification §2, "Sidebar and menu"). */
export type Place = {
  href: string
  label: PhraseKey
  /** The shorter word of the bar on phones; entries without one are in its "More". */
  short?: PhraseKey
  icon: Icon
  newTab?: boolean
}

export const USER_PLACES: readonly Place[] = [
  { href: paths.home, label: 'ui.title.home', short: 'ui.title.home', icon: HomeIcon },
  { href: paths.yourInfo, label: 'ui.title.your_info', short: 'ui.short.your_info', icon: PersonIcon },
  { href: paths.privacy, label: 'ui.title.privacy', icon: EyeIcon },
  { href: paths.security, label: 'ui.title.security', short: 'ui.title.security', icon: KeyIcon },
  { href: paths.devices, label: 'ui.title.devices', icon: DevicesIcon },
  { href: paths.connectedApps, label: 'ui.title.connected_apps', short: 'ui.short.applications', icon: AppsIcon },
]

/** Entries of one developer account; what is above the person's level is not there. */
export function developerPlaces(user: Pick<UserInfo, 'permission'>, developer: string): Place[] {
  const places: (Place & { needs: Level })[] = [
    {
      needs: 'member',
      href: paths.applications(developer),
      label: 'ui.title.applications',
      short: 'ui.short.applications',
      icon: AppsIcon,
    },
    {
      needs: 'analyst',
      href: paths.users(developer),
      label: 'ui.title.users',
      short: 'ui.short.users',
      icon: PeopleIcon,
    },
    {
      needs: 'member',
      href: paths.members(developer),
      label: 'ui.title.members',
      short: 'ui.title.members',
      icon: MembersIcon,
    },
    {
      needs: 'member',
      href: paths.organization(developer),
      label: 'ui.title.organization',
      short: 'ui.short.organization',
      icon: ArchIcon,
    },
    { needs: 'developer', href: paths.docs, label: 'ui.title.docs', icon: BookIcon, newTab: true },
  ]
  return places.filter(({ needs }) => atLeast(user.permission, needs))
}

/** Whether the page shown at `path` belongs to this place. */
export function isHere(place: Place, path: string): boolean {
  return path === place.href || path.startsWith(`${place.href}/`)
}
