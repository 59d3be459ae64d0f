import { useI18n } from '../../lib/i18n.tsx'
import { localDay } from '../../lib/time.ts'
import type { Entry } from './timeline.ts'

const DAY = 24 * 60 * 60 * 1000

/** "Today", "Yesterday", or the whole date of a local day. */
export function useDayName() {
  const { t, format } = useI18n()
  return (date: string) => {
    const now = Date.now()
    if (date === localDay(new Date(now))) return t('privacy.today')
    if (date === localDay(new Date(now - DAY))) return t('privacy.yesterday')
    return format.date(date, 'full')
  }
}

/** What happened, and how often if more than once. */
export function useSentence() {
  const { t } = useI18n()
  return ({ newest, all }: Entry) => {
    const what = t(`activity.${newest.type}`, { app: newest.app?.name ?? 'none' })
    return all.length > 1 ? t('privacy.activity.times', { what, count: all.length }) : what
  }
}
