import type { Icon } from './draw-icon.tsx'
import { AppsIcon, KeyIcon, PersonIcon } from './icons.tsx'
import {
  ArchiveIcon,
  LaptopIcon,
  LockIcon,
  MailIcon,
  PeopleIcon,
  PhoneIcon,
  SignOutIcon,
  TrashIcon,
} from './signed-in-icons.tsx'

/** Icon by activity type. */
const ICONS = {
  LOGGED_IN: LaptopIcon,
  CHANGED_PASSWORD: LockIcon,
  CHANGED_EMAIL: MailIcon,
  CREATED_ACCOUNT: PersonIcon,
  ENABLED_OTP: KeyIcon,
  DISABLED_OTP: KeyIcon,
  LOGGED_IN_TO_APP: AppsIcon,
  GRANTED_SCOPES_TO_APP: AppsIcon,
  REVOKED_SCOPES_FROM_APP: AppsIcon,
  ADDED_PASSKEY: KeyIcon,
  REMOVED_PASSKEY: KeyIcon,
  RENEWED_RECOVERY_CODES: KeyIcon,
  LOGGED_OUT_DEVICE: SignOutIcon,
  REQUESTED_DATA: ArchiveIcon,
  BEGAN_DELETION: TrashIcon,
  UNDID_DELETION: PersonIcon,
  SERVICE_USED_ACCESS: AppsIcon,
  ALLOWED_REQUEST_OF_APP: AppsIcon,
  DENIED_REQUEST_OF_APP: AppsIcon,
  OPERATOR_ROLE_CHANGED: PersonIcon,
  OPERATOR_DISABLED_ACCOUNT: LockIcon,
  OPERATOR_ENABLED_ACCOUNT: PersonIcon,
  OPERATOR_SIGNED_OUT: SignOutIcon,
  OPERATOR_UNLOCKED: LockIcon,
  OPERATOR_SENT_RESET: MailIcon,
  OPERATOR_ADDED_TO_GROUP: PeopleIcon,
  OPERATOR_REMOVED_FROM_GROUP: PeopleIcon,
  OPERATOR_CREATED_ACCOUNT: PersonIcon,
  OPERATOR_CHANGED_PROFILE: PersonIcon,
  OPERATOR_BEGAN_DELETION: TrashIcon,
  OPERATOR_UNDID_DELETION: PersonIcon,
  OPERATOR_REQUESTED_FACTOR_RESET: KeyIcon,
  OPERATOR_CANCELED_FACTOR_RESET: KeyIcon,
  STOPPED_FACTOR_RESET: KeyIcon,
  OPERATOR_RESET_FACTORS: KeyIcon,
  OPERATOR_CREATED_REGISTRATION_TOKEN: AppsIcon,
  OPERATOR_CREATED_ORGANIZATION: PeopleIcon,
  OPERATOR_GAVE_ORGANIZATION: PeopleIcon,
  OPERATOR_APPROVED_ORGANIZATION: PeopleIcon,
  OPERATOR_REJECTED_ORGANIZATION: PeopleIcon,
  OPERATOR_APPROVED_APP: AppsIcon,
  OPERATOR_REJECTED_APP: AppsIcon,
} as const satisfies Record<string, Icon>

/** Icon of an activity; sign-ins show the device. */
export function activityIcon(type: keyof typeof ICONS, os: string | null): Icon {
  const phone = os === 'Android' || os === 'iOS'
  return phone && type === 'LOGGED_IN' ? PhoneIcon : ICONS[type]
}
