import type { ClientType } from '@vrata/contract/clients'
import type { Icon } from '../../ui/draw-icon.tsx'
import { GlobeIcon, PhoneIcon } from '../../ui/icons.tsx'
import { CodeIcon, SettingsIcon } from '../../ui/inner-icons.tsx'

/** How each kind of app looks; what it means is said by `clients.kind.*`, what it presets is the server's (api.md §6). */
export const KIND_ICONS: Record<ClientType, Icon> = {
  web: GlobeIcon,
  spa: CodeIcon,
  native: PhoneIcon,
  service: SettingsIcon,
}
