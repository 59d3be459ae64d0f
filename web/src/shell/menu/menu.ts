import type { UserInfo } from '@vrata/contract/account'
import { atLeast, type Level } from '@vrata/contract/levels'
import { paths } from '@vrata/contract/page-addresses'
import type { PhraseKey } from '@vrata/phrases/keys'
import type { Icon } from '../../ui/icons/draw-icon.tsx'
import { AppsIcon, ArchIcon, EyeIcon, KeyIcon, PersonIcon } from '../../ui/icons/icons.tsx'
import { BookIcon, DevicesIcon, HomeIcon, MembersIcon, PeopleIcon } from '../../ui/icons/signed-in-icons.tsx'

/** An entry of the menu (product §2.5). */
export type MenuEntry = {
  href: string
  label: PhraseKey
  /** Short label for the bar on phones; entries without one are under "More". */
  short?: PhraseKey
  icon: Icon
  newTab?: boolean
  /** How many wait for the operators. */
  waiting?: number | undefined
}

export const USER_MENU: readonly MenuEntry[] = [
  { href: paths.home, label: 'menu.title.home', short: 'menu.title.home', icon: HomeIcon },
  { href: paths.yourInfo, label: 'menu.title.your_info', short: 'menu.short.your_info', icon: PersonIcon },
  { href: paths.privacy, label: 'menu.title.privacy', icon: EyeIcon },
  { href: paths.security, label: 'menu.title.security', short: 'menu.title.security', icon: KeyIcon },
  { href: paths.devices, label: 'menu.title.devices', icon: DevicesIcon },
  { href: paths.connectedApps, label: 'menu.title.connected_apps', short: 'menu.short.applications', icon: AppsIcon },
]

/** The pages of operators. */
export const OPERATOR_ENTRY: MenuEntry = { href: paths.admin, label: 'menu.title.admin', icon: PeopleIcon }

/** Entries of a developer account that the user's level allows. */
export function developerMenu(user: Pick<UserInfo, 'permission'>, developer: string): MenuEntry[] {
  const entries: (MenuEntry & { needs: Level })[] = [
    {
      needs: 'member',
      href: paths.applications(developer),
      label: 'menu.title.applications',
      short: 'menu.short.applications',
      icon: AppsIcon,
    },
    {
      needs: 'analyst',
      href: paths.users(developer),
      label: 'menu.title.users',
      short: 'menu.short.users',
      icon: PeopleIcon,
    },
    {
      needs: 'member',
      href: paths.members(developer),
      label: 'menu.title.members',
      short: 'menu.title.members',
      icon: MembersIcon,
    },
    {
      needs: 'member',
      href: paths.organization(developer),
      label: 'menu.title.organization',
      short: 'menu.short.organization',
      icon: ArchIcon,
    },
    { needs: 'developer', href: paths.docs, label: 'ui.title.docs', icon: BookIcon, newTab: true },
  ]
  return entries.filter(({ needs }) => atLeast(user.permission, needs))
}

/** Whether the current path belongs to the entry. */
export function isCurrent(entry: MenuEntry, path: string): boolean {
  return path === entry.href || path.startsWith(`${entry.href}/`)
}
