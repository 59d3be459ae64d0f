import type { Icon } from './draw-icon.tsx'
import { GlobeIcon, KeyIcon, PersonIcon } from './icons.tsx'
import { ClockIcon, MailIcon, PeopleIcon, PhoneIcon, TicketIcon } from './signed-in-icons.tsx'

/** Scopes of OpenID Connect (Core §5.4, §11); apps define all others. */
const ICONS: Readonly<Record<string, Icon>> = {
  openid: KeyIcon,
  profile: PersonIcon,
  email: MailIcon,
  phone: PhoneIcon,
  address: GlobeIcon,
  groups: PeopleIcon,
  offline_access: ClockIcon,
}

/** Icon of a scope. */
export function scopeIcon(key: string): Icon {
  return ICONS[key] ?? TicketIcon
}
