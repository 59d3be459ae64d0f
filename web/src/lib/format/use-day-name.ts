import { useI18n } from '../i18n.tsx'

const DAY = 24 * 60 * 60 * 1000

/** "Today", "Yesterday", or the full date of a local day. */
export function useDayName() {
  const { t, format } = useI18n()
  return (date: string) => {
    const now = format.now()
    if (date === format.day(now)) return t('menu.today')
    if (date === format.day(now - DAY)) return t('menu.yesterday')
    return format.date(date, 'full')
  }
}
