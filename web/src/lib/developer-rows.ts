import { paths } from '../paths.ts'
import { useI18n } from './i18n.tsx'
import { useUser } from './session.ts'

/** The person's organisations as `DeveloperRows` of `ui` shows them. */
export function useDeveloperRows() {
  const { t } = useI18n()
  return useUser().developer_accounts.map(({ permission, ...account }) => ({
    ...account,
    level: t(`ui.level.${permission}`),
    href: paths.applications(account.developer_id),
  }))
}
