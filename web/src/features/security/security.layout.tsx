import { Outlet, useLocation } from '@tanstack/react-router'
import { paths } from '@vrata/contract/page-addresses'
import { useI18n } from '../../lib/i18n.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Tabs } from '../../ui/navigation/tabs.tsx'

/** Layout of the security pages. */
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
          { href: paths.security, label: t('security.tab.methods') },
          { href: paths.securityPassword, label: t('security.tab.password') },
          { href: paths.passkeys, label: t('security.tab.passkeys') },
          { href: paths.twoFactor, label: t('security.tab.two_factor') },
        ]}
      />
      <Outlet />
    </>
  )
}
