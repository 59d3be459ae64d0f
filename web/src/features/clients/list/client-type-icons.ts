import type { ClientType } from '@vrata/contract/clients'
import type { Icon } from '../../../ui/icons/draw-icon.tsx'
import { GlobeIcon } from '../../../ui/icons/icons.tsx'
import { CodeIcon, PhoneIcon, SettingsIcon } from '../../../ui/icons/signed-in-icons.tsx'

/** Icon of each type of app. `clients.kind.*` describes the types; the server holds their presets (api §6.1). */
export const CLIENT_TYPE_ICONS: Record<ClientType, Icon> = {
  web: GlobeIcon,
  spa: CodeIcon,
  native: PhoneIcon,
  service: SettingsIcon,
}
