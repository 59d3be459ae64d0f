import { useQuery } from '@tanstack/react-query'
import { DEVELOPER_ACTIVITY_TYPES, type DeveloperActivity } from '@vrata/contract/developers'
import * as members from '@vrata/contract/members'
import { callQuery } from '../../../lib/api/call-query.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import type { SetAddressFilter } from '../../../lib/list-filter/use-address-filter.ts'
import { FilterSelect } from '../../../ui/form/filter-select.tsx'
import type { DeveloperActivityFilter } from '../queries.ts'
import { personOptions } from './person-options.ts'

type DeveloperActivityFiltersProps = {
  filter: DeveloperActivityFilter
  rows: readonly DeveloperActivity[]
  set: SetAddressFilter<keyof DeveloperActivityFilter>
}

/** Filters by type and member. */
export function DeveloperActivityFilters({ filter, rows, set }: DeveloperActivityFiltersProps) {
  const { t, locale } = useI18n()
  const { data = [] } = useQuery(callQuery(useAppContext(), members.listMembers, {}))
  return (
    <div className="two-columns gap-3">
      <FilterSelect
        label={t('organization.filter.type')}
        all={t('organization.filter.all_types')}
        value={filter.type}
        options={DEVELOPER_ACTIVITY_TYPES.map((type) => [
          type,
          t(`organization.did.${type}`, { name: 'none', removed: 'false' }),
        ])}
        onChoose={(type) => set({ type })}
      />
      <FilterSelect
        label={t('organization.filter.person')}
        all={t('organization.filter.everybody')}
        value={filter.user_id}
        options={personOptions(data, rows, locale)}
        onChoose={(user_id) => set({ user_id })}
      />
    </div>
  )
}
