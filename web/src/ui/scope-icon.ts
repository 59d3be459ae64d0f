import type { Icon } from './draw-icon.tsx'
import { GlobeIcon, KeyIcon, PersonIcon, PhoneIcon } from './icons.tsx'
import { ClockIcon, MailIcon, TicketIcon } from './inner-icons.tsx'

/** The well-known words of OpenID Connect (Core §5.4, §11); all others are defined by apps. */
const ICONS: Readonly<Record<string, Icon>> = {
  openid: KeyIcon,
  profile: PersonIcon,
  email: MailIcon,
  phone: PhoneIcon,
  address: GlobeIcon,
  offline_access: ClockIcon,
}

/** The icon beside a permission that an app asks for. */
export function scopeIcon(key: string): Icon {
  return ICONS[key] ?? TicketIcon
}
