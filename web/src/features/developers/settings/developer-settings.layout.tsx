import { Outlet, useLocation } from '@tanstack/react-router'
import { developers } from '@vrata/contract'
import { paths } from '@vrata/contract/page-addresses'
import { useI18n } from '../../../lib/i18n.tsx'
import { can } from '../../../lib/organizations/allowed-calls.ts'
import { useUser } from '../../../lib/session.ts'
import { Picture } from '../../../ui/identity/picture.tsx'
import { PageHead } from '../../../ui/layout/page-head.tsx'
import { Tabs } from '../../../ui/navigation/tabs.tsx'

/** Layout of organization settings: details and, with permission, activity. */
export function DeveloperSettingsLayout() {
  const { t } = useI18n()
  const user = useUser()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const id = user.developer_id ?? ''
  const current = user.developer_accounts.find(({ developer_id }) => developer_id === id)
  const activity = { href: paths.organizationActivity(id), label: t('menu.title.activity') }
  return (
    <div className="max-w-240 space-y-6">
      <PageHead
        picture={<Picture kind="developer" url={current?.logo} name={current?.name ?? ''} size={56} />}
        title={t('menu.title.organization')}
        text={current?.name}
      />
      {can(user, developers.listDeveloperActivity) && (
        <Tabs
          label={t('menu.title.organization')}
          current={path}
          tabs={[{ href: paths.organization(id), label: t('organization.tab.details') }, activity]}
        />
      )}
      {/* A new key discards the input of another organization. */}
      <Outlet key={id} />
    </div>
  )
}
