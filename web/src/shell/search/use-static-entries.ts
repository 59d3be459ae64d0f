import type { UserInfo } from '@vrata/contract/account'
import { atLeast } from '@vrata/contract/levels'
import { LOCALES } from '@vrata/contract/locales'
import { paths } from '@vrata/contract/page-addresses'
import { useMemo } from 'react'
import { errorMessageOf } from '../../lib/api/form-errors.ts'
import { notify, useAppContext } from '../../lib/app-context.tsx'
import { changeLanguage } from '../../lib/change-language.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { membershipText } from '../../lib/organizations/membership-text.ts'
import type { Icon } from '../../ui/icons/draw-icon.tsx'
import { ArchIcon, EyeIcon, GlobeIcon, KeyIcon, PersonIcon } from '../../ui/icons/icons.tsx'
import {
  ArchiveIcon,
  AtIcon,
  BookIcon,
  CakeIcon,
  CameraIcon,
  ClockIcon,
  CodeIcon,
  DevicesIcon,
  FlagIcon,
  LockIcon,
  MailIcon,
  MoonIcon,
  PhoneIcon,
  SettingsIcon,
  SignOutIcon,
  SunIcon,
  TelephoneIcon,
  TrashIcon,
} from '../../ui/icons/signed-in-icons.tsx'
import { developerMenu, USER_MENU } from '../menu/menu.ts'
import { chooseTheme } from '../preferences/theme-choice.ts'
import type { Entry, Group } from './entries.ts'

/** Pages, settings and developer accounts that the user may open; none without a user. */
export function useStaticEntries(user: UserInfo | undefined): Entry[] {
  const context = useAppContext()
  const { t, format, brand } = useI18n()
  return useMemo(() => {
    if (!user) return []
    const link = (group: Group, label: string, icon: Icon, href: string, text?: string): Entry => ({
      key: `${group} ${href} ${label}`,
      group,
      label,
      icon,
      href,
      text,
    })
    const current = user.developer_accounts.find(({ developer_id }) => developer_id === user.developer_id)
    const developer = user.email_verified ? current : undefined
    const pages = [
      ...USER_MENU.map(({ label, icon, href }) => link('pages', t(label), icon, href)),
      link('pages', t('menu.title.activity'), ClockIcon, paths.activity, t('menu.title.privacy')),
      link('pages', t('menu.title.privacy_settings'), SettingsIcon, paths.privacySettings),
      link('pages', t('menu.title.request_data'), ArchiveIcon, paths.requestData, t('menu.title.privacy')),
      link('pages', t('ui.title.change_password'), LockIcon, paths.securityPassword, t('menu.title.security')),
      link('pages', t('menu.title.passkeys'), KeyIcon, paths.passkeys, t('menu.title.security')),
      link('pages', t('menu.title.two_factor'), KeyIcon, paths.twoFactor, t('menu.title.security')),
      link('pages', t('menu.title.developers'), CodeIcon, paths.developers),
      ...(developer
        ? developerMenu(user, developer.developer_id).map(
            ({ label, icon, href, newTab = false }): Entry => ({
              ...link('pages', t(label), icon, href, newTab ? undefined : developer.name),
              href,
              newTab,
            }),
          )
        : [{ ...link('pages', t('ui.title.docs'), BookIcon, paths.docs), href: paths.docs, newTab: true }]),
      ...(developer && atLeast(user.permission, 'moderator')
        ? [
            link(
              'pages',
              t('menu.title.activity'),
              ClockIcon,
              paths.organizationActivity(developer.developer_id),
              developer.name,
            ),
          ]
        : []),
      link('pages', t('ui.sign_out'), SignOutIcon, paths.logout),
    ]
    const info = (label: string, icon: Icon, name: string) =>
      link('settings', label, icon, paths.info(name), t('menu.title.your_info'))
    const settings = [
      info(t('account.name'), PersonIcon, 'name'),
      info(t('account.picture.title'), CameraIcon, 'picture'),
      info(t('account.username'), AtIcon, 'username'),
      info(t('account.email'), MailIcon, 'email'),
      info(t('account.phone'), TelephoneIcon, 'phone'),
      info(t('account.birth_date'), CakeIcon, 'birth-date'),
      info(t('account.gender'), PersonIcon, 'gender'),
      info(t('account.country'), FlagIcon, 'country'),
      info(t('account.language'), GlobeIcon, 'language'),
      link('settings', t('security.qr.title'), PhoneIcon, paths.security, t('menu.title.security')),
      link('settings', t('security.codes.title'), BookIcon, paths.twoFactor, t('menu.title.two_factor')),
      link('settings', t('privacy.settings.title'), EyeIcon, paths.privacySettings, t('menu.title.privacy')),
      link('settings', t('privacy.delete.title'), TrashIcon, paths.privacySettings, t('menu.title.privacy_settings')),
      ...(['device', 'light', 'dark'] as const).map(
        (theme): Entry => ({
          key: `theme ${theme}`,
          group: 'settings',
          label: t('search.theme', { theme: t(`menu.theme.${theme}`) }),
          icon: { device: DevicesIcon, light: SunIcon, dark: MoonIcon }[theme],
          run: () => chooseTheme(theme),
        }),
      ),
      ...(brand.languages ?? LOCALES).map(
        (locale): Entry => ({
          key: `language ${locale}`,
          group: 'settings',
          label: t('search.language', { language: format.language(locale.slice(0, 2)) }),
          icon: GlobeIcon,
          async run() {
            const failed = await changeLanguage(context, locale)
            if (failed) notify(context.notices, errorMessageOf(context.i18n.now(), failed))
          },
        }),
      ),
    ]
    const organizations = user.email_verified
      ? user.developer_accounts.map((account) => {
          const href = paths.applications(account.developer_id)
          return link('organizations', account.name, ArchIcon, href, membershipText({ t }, account))
        })
      : []
    return [...pages, ...settings, ...organizations]
  }, [user, t, format, brand, context])
}
