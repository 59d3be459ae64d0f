import { useI18n } from '../i18n.tsx'

const DAY = 24 * 60 * 60 * 1000

/** "Today", "Yesterday", or the full date of a local day. */
export function useDayName() {
  const { t, format } = useI18n()
  return (date: string) => {
    const today = format.day(format.now())
    if (date === today) return t('menu.today')
    if (date === dayBefore(today)) return t('menu.yesterday')
    return format.date(date, 'full')
  }
}

/** In UTC, where every day has 24 hours: local days with a change of the clocks have 23 or 25. */
function dayBefore(date: string): string {
  return new Date(Date.parse(date) - DAY).toISOString().slice(0, 10)
}
