import { paths } from '@vrata/contract/page-addresses'
import { AppsIcon, ArchIcon, KeyIcon } from '../../ui/icons/icons.tsx'
import {
  BookIcon,
  HomeIcon,
  LockIcon,
  MembersIcon,
  PaletteIcon,
  PeopleIcon,
  SettingsIcon,
} from '../../ui/icons/signed-in-icons.tsx'
import type { MenuEntry } from './menu.ts'

/** Menu of the pages of operators. */
export const ADMIN_MENU: readonly MenuEntry[] = [
  { href: paths.adminOverview, label: 'operators.menu.overview', short: 'operators.menu.overview', icon: HomeIcon },
  { href: paths.adminPeople, label: 'operators.menu.people', short: 'operators.menu.people', icon: PeopleIcon },
  { href: paths.adminOrganizations, label: 'operators.menu.organizations', icon: ArchIcon },
  { href: paths.adminApps, label: 'operators.menu.apps', icon: AppsIcon },
  { href: paths.adminGroups, label: 'operators.menu.groups', short: 'operators.menu.groups', icon: MembersIcon },
  { href: paths.adminOperators, label: 'operators.menu.operators', icon: KeyIcon },
  { href: paths.adminSignIn, label: 'operators.menu.sign_in', icon: LockIcon },
  { href: paths.adminLook, label: 'operators.menu.look', icon: PaletteIcon },
  { href: paths.adminAudit, label: 'operators.menu.audit', short: 'operators.short.audit', icon: BookIcon },
  { href: paths.adminSystem, label: 'operators.menu.system', icon: SettingsIcon },
]
