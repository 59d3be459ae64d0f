import { LEVELS } from '@vrata/contract'
import { useI18n } from '../../lib/i18n.tsx'
import type { SetAddressFilter } from '../../lib/list-filter/use-address-filter.ts'
import { FilterSelect } from '../../ui/form/filter-select.tsx'
import { SearchField } from '../../ui/form/search-field.tsx'
import { type MemberView, SORTS } from './queries.ts'

type MemberFiltersProps = { view: MemberView; set: SetAddressFilter<keyof MemberView> }

/** Search, filter by level, and order of members. */
export function MemberFilters({ view, set }: MemberFiltersProps) {
  const { t } = useI18n()
  return (
    <div className="two-columns items-end gap-3 lg:grid-cols-4">
      <div className="col-span-full lg:col-span-2">
        <SearchField label={t('members.search')} text={view.query} onSearch={(query) => set({ query })} />
      </div>
      <FilterSelect
        label={t('members.level')}
        all={t('members.all_levels')}
        value={view.permission}
        options={LEVELS.toReversed().map((level) => [level, t(`menu.level.${level}`)])}
        onChoose={(permission) => set({ permission })}
      />
      <FilterSelect
        label={t('members.sort')}
        all={t('members.sort.level')}
        value={view.sort}
        options={SORTS.map((sort) => [sort, t(`members.sort.${sort}`)])}
        onChoose={(sort) => set({ sort })}
      />
    </div>
  )
}
