import { Outlet, useLocation } from '@tanstack/react-router'
import { developers } from '@vrata/contract'
import { useI18n } from '../../lib/i18n.tsx'
import { can, useUser } from '../../lib/session.ts'
import { paths } from '../../paths.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Picture } from '../../ui/picture.tsx'
import { Tabs } from '../../ui/tabs.tsx'

/** Around the two pages on an organisation: what it is, and what was done in it (for whom may see that). */
export function OrganizationLayout() {
  const { t } = useI18n()
  const user = useUser()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const id = user.developer_id ?? ''
  const here = user.developer_accounts.find(({ developer_id }) => developer_id === id)
  const activity = { href: paths.organizationActivity(id), label: t('ui.title.activity') }
  return (
    <div className="max-w-240 space-y-6">
      <PageHead
        picture={<Picture kind="developer" url={here?.logo} name={here?.name ?? ''} size={56} />}
        title={t('ui.title.organization')}
        text={here?.name}
      />
      {can(user, developers.listDeveloperActivity) && (
        <Tabs
          label={t('ui.title.organization')}
          current={path}
          tabs={[{ href: paths.organization(id), label: t('organization.tab.details') }, activity]}
        />
      )}
      {/* Nothing that was typed for one organisation may be sent for another. */}
      <Outlet key={id} />
    </div>
  )
}
