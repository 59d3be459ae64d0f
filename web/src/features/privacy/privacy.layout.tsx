import { Outlet, useLocation } from '@tanstack/react-router'
import { useI18n } from '../../lib/i18n.tsx'
import { paths } from '../../paths.ts'
import { PageHead } from '../../ui/page-head.tsx'
import { Tabs } from '../../ui/tabs.tsx'

/** Around the three pages on what is known about a person: what happened, what is shown, and all of it to take along. */
export function PrivacyLayout() {
  const { t } = useI18n()
  const path = useLocation({ select: ({ pathname }) => pathname })
  return (
    <>
      <PageHead title={t('ui.title.privacy')} text={t('privacy.text')} />
      <Tabs
        label={t('ui.title.privacy')}
        current={path}
        tabs={[
          { href: paths.activity, label: t('ui.title.activity') },
          { href: paths.privacySettings, label: t('privacy.tab.settings') },
          { href: paths.requestData, label: t('ui.title.request_data') },
        ]}
      />
      <Outlet />
    </>
  )
}
