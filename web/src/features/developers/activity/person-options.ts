import type { Locale } from '@vrata/contract'
import type { DeveloperActivity } from '@vrata/contract/developers'
import type { MemberInfo } from '@vrata/contract/members'
import type { FilterOptions } from '../../../ui/form/filter-select.tsx'
import { accountName } from '../../../ui/identity/account-card.tsx'

/**
 * All members, and former members named in the loaded rows, in the order of the language of the page: that of the browser can be another one,
 * and the server has none.
 */
export function personOptions(
  members: readonly MemberInfo[],
  rows: readonly DeveloperActivity[],
  locale: Locale,
): FilterOptions {
  const { compare } = new Intl.Collator(locale)
  const left = rows.flatMap(({ user }) => (user ? [[user.id, user.name] as const] : []))
  const joined = members.flatMap(({ pending, user }) =>
    user.id && !pending ? [[user.id, accountName(user)] as const] : [],
  )
  return [...new Map([...left, ...joined])].sort(([, a], [, b]) => compare(a, b))
}
