import { Outlet, useLocation } from '@tanstack/react-router'
import { useI18n } from '../../lib/i18n.tsx'
import { paths } from '../../paths.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Tabs } from '../../ui/tabs.tsx'

/** Around the two pages of security. */
export function SecurityLayout() {
  const { t } = useI18n()
  const path = useLocation({ select: ({ pathname }) => pathname })
  return (
    <>
      <PageHead title={t('security.title')} text={t('security.text')} />
      <Tabs
        label={t('security.tabs')}
        current={path}
        tabs={[
          { href: paths.securityPassword, label: t('security.tab.password') },
          { href: paths.twoFactor, label: t('security.tab.two_factor') },
        ]}
      />
      <Outlet />
    </>
  )
}
