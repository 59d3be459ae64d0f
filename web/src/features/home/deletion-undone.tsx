import { useQuery } from '@tanstack/react-query'
import { LIFETIMES } from '@vrata/contract/lifetimes'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { CheckIcon } from '../../ui/icons/signed-in-icons.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { recentActivity } from './queries.ts'

/** Shown after a sign-in has canceled the deletion of the account. */
export function DeletionUndone() {
  const { t } = useI18n()
  const { data } = useQuery(recentActivity(useAppContext()))
  if (!data?.some(({ type, age }) => type === 'UNDID_DELETION' && age <= LIFETIMES.fresh_sign_in)) return null
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
