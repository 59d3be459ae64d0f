import { useQuery } from '@tanstack/react-query'
import { LIFETIMES } from '@vrata/contract/lifetimes'
import { useI18n } from '../../lib/i18n.tsx'
import { serverTime } from '../../lib/time.ts'
import { useWires } from '../../lib/wires.tsx'
import { Card } from '../../ui/card.tsx'
import { CheckIcon } from '../../ui/icons.tsx'
import { recentActivity } from './data.ts'

/** For somebody whose sign-in has just kept an account from being deleted. */
export function DeletionUndone() {
  const { t } = useI18n()
  const { data } = useQuery(recentActivity(useWires()))
  const undone = data?.find(({ type }) => type === 'UNDID_DELETION')
  if (!undone || Date.now() - serverTime(undone.created_at).getTime() > LIFETIMES.fresh_sign_in * 1000) return null
  return (
    <Card role="status" className="flex items-center gap-4 p-5 sm:p-6">
      <CheckIcon size={24} className="text-ok" />
      <div className="min-w-0">
        <h2 className="text-title">{t('home.undone.title')}</h2>
        <p className="text-muted">{t('home.undone.text')}</p>
      </div>
    </Card>
  )
}
