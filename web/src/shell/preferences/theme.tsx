import { useState } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { ThemeSwitch } from '../../ui/navigation/theme-switch.tsx'
import { chooseTheme, chosenTheme } from './theme-choice.ts'

/** Choice of the theme, stored on this device. */
export function Theme() {
  const { t } = useI18n()
  const [choice, setChoice] = useState(chosenTheme)
  return (
    <ThemeSwitch
      label={t('ui.theme')}
      names={{ device: t('ui.theme.device'), light: t('ui.theme.light'), dark: t('ui.theme.dark') }}
      value={choice}
      onChange={(next) => {
        chooseTheme(next)
        setChoice(next)
      }}
    />
  )
}
