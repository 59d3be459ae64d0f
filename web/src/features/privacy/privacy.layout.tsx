import { Outlet, useLocation } from '@tanstack/react-router'
import { paths } from '@vrata/contract/page-addresses'
import { useI18n } from '../../lib/i18n.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Tabs } from '../../ui/navigation/tabs.tsx'

/** Layout of activity, privacy settings and data request. */
export function PrivacyLayout() {
  const { t } = useI18n()
  const path = useLocation({ select: ({ pathname }) => pathname })
  return (
    <>
      <PageHead title={t('menu.title.privacy')} text={t('privacy.text')} />
      <Tabs
        label={t('menu.title.privacy')}
        current={path}
        tabs={[
          { href: paths.activity, label: t('menu.title.activity') },
          { href: paths.privacySettings, label: t('privacy.tab.settings') },
          { href: paths.requestData, label: t('menu.title.request_data') },
        ]}
      />
      <Outlet />
    </>
  )
}
