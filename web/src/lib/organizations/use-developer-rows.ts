import { paths } from '@vrata/contract/page-addresses'
import { useI18n } from '../i18n.tsx'
import { useUser } from '../session.ts'

/** Developer accounts of the user for `DeveloperRows`. */
export function useDeveloperRows() {
  const { t } = useI18n()
  return useUser().developer_accounts.map(({ permission, ...account }) => ({
    ...account,
    level: t(`menu.level.${permission}`),
    href: paths.applications(account.developer_id),
  }))
}
