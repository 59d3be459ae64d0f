import type { DeveloperAccount } from '@vrata/contract/account'
import type { useI18n } from '../i18n.tsx'

type Membership = Pick<DeveloperAccount, 'permission' | 'approval'>

/** Below the name of an organization in a list: the level of the member, and whether it waits for approval or was rejected. */
export function membershipText(
  { t }: Pick<ReturnType<typeof useI18n>, 't'>,
  { permission, approval }: Membership,
): string {
  const level = t(`menu.level.${permission}`)
  return approval ? `${level} · ${t(`menu.approval.${approval}`)}` : level
}
