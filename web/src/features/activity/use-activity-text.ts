import { useI18n } from '../../lib/i18n.tsx'
import type { Entry } from './timeline.ts'

const DAY = 24 * 60 * 60 * 1000

/** "Today", "Yesterday", or the full date of a local day. */
export function useDayName() {
  const { t, format } = useI18n()
  return (date: string) => {
    const now = format.now()
    if (date === format.day(now)) return t('privacy.today')
    if (date === format.day(now - DAY)) return t('privacy.yesterday')
    return format.date(date, 'full')
  }
}

/** Text of an activity with the number of repetitions. */
export function useActivityText() {
  const { t } = useI18n()
  return ({ newest, all }: Entry) => {
    const service = newest.acting_app?.name ?? 'none'
    const what = t(`activity.${newest.type}`, { app: newest.app?.name ?? 'none', service })
    return all.length > 1 ? t('privacy.activity.times', { what, count: all.length }) : what
  }
}
