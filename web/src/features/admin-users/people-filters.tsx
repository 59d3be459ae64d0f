import { useQuery } from '@tanstack/react-query'
import { USER_STATUSES } from '@vrata/contract/admin-users'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import type { SetAddressFilter } from '../../lib/list-filter/use-address-filter.ts'
import { FilterSelect } from '../../ui/form/filter-select.tsx'
import { SearchField } from '../../ui/form/search-field.tsx'
import { groupOptions, type PeopleFilter } from './people-queries.ts'

/** Search by name, user name, address or id, and filter by state. */
export function PeopleFilters({ filter, set }: { filter: PeopleFilter; set: SetAddressFilter<keyof PeopleFilter> }) {
  const { t } = useI18n()
  const { data: known = [] } = useQuery(groupOptions(useAppContext()))
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <div className="col-span-full">
        <SearchField
          label={t('admin-users.search')}
          placeholder={t('admin-users.search_for')}
          text={filter.query}
          onSearch={(query) => set({ query })}
        />
      </div>
      <FilterSelect
        label={t('admin-users.status')}
        all={t('admin-users.status.all')}
        value={filter.status}
        options={USER_STATUSES.map((status) => [status, t(`admin-users.status.${status}`)])}
        onChoose={(status) => set({ status })}
      />
      {(known.length > 0 || filter.group) && (
        <FilterSelect
          label={t('admin-users.group')}
          all={t('admin-users.group.all')}
          value={filter.group}
          options={known.map(({ key, name }) => [key, name])}
          onChoose={(group) => set({ group })}
        />
      )}
    </div>
  )
}
