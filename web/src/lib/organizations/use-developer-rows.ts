import { paths } from '@vrata/contract/page-addresses'
import { useI18n } from '../i18n.tsx'
import { useUser } from '../session.ts'
import { membershipText } from './membership-text.ts'

/** Developer accounts of the user for `DeveloperRows`. */
export function useDeveloperRows() {
  const i18n = useI18n()
  return useUser().developer_accounts.map((account) => ({
    ...account,
    text: membershipText(i18n, account),
    href: paths.applications(account.developer_id),
  }))
}
