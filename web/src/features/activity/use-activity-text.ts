import { useI18n } from '../../lib/i18n.tsx'
import type { Entry } from './timeline.ts'

/** Text of an activity with the number of repetitions. */
export function useActivityText() {
  const { t } = useI18n()
  return ({ newest, all }: Entry) => {
    const service = newest.acting_app?.name ?? 'none'
    const what = t(`activity.${newest.type}`, { app: newest.app?.name ?? 'none', service })
    return all.length > 1 ? t('privacy.activity.times', { what, count: all.length }) : what
  }
}
