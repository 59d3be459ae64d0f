import { useSyncExternalStore } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { ThemeSwitch } from '../../ui/navigation/theme-switch.tsx'
import { chooseTheme, chosenTheme, subscribeToTheme } from './theme-choice.ts'

/** Choice of the theme, stored on this device; the server does not know it. */
export function Theme() {
  const { t } = useI18n()
  return (
    <ThemeSwitch
      label={t('menu.theme')}
      names={{ device: t('menu.theme.device'), light: t('menu.theme.light'), dark: t('menu.theme.dark') }}
      value={useSyncExternalStore(subscribeToTheme, chosenTheme, () => 'device' as const)}
      onChange={chooseTheme}
    />
  )
}
