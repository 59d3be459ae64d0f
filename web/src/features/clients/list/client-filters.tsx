import { useI18n } from '../../../lib/i18n.tsx'
import type { SetAddressFilter } from '../../../lib/list-filter/use-address-filter.ts'
import { FilterSelect } from '../../../ui/form/filter-select.tsx'
import { SearchField } from '../../../ui/form/search-field.tsx'
import type { ClientView } from '../queries.ts'

type ClientFiltersProps = { view: ClientView; set: SetAddressFilter<keyof ClientView> }

/** Orders besides the default. */
const SORTS = ['newest'] as const

/** Search, filter by state, and order of apps. */
export function ClientFilters({ view, set }: ClientFiltersProps) {
  const { t } = useI18n()
  return (
    <div className="two-columns items-end gap-3 lg:grid-cols-4">
      <div className="col-span-full lg:col-span-2">
        <SearchField label={t('clients.search')} text={view.query} onSearch={(query) => set({ query })} />
      </div>
      <FilterSelect
        label={t('clients.state')}
        all={t('clients.all_states')}
        value={view.enabled}
        options={[
          ['true', t('clients.enabled')],
          ['false', t('clients.disabled')],
        ]}
        onChoose={(enabled) => set({ enabled })}
      />
      <FilterSelect
        label={t('clients.sort')}
        all={t('clients.sort.name')}
        value={view.sort}
        options={SORTS.map((sort) => [sort, t(`clients.sort.${sort}`)])}
        onChoose={(sort) => set({ sort })}
      />
    </div>
  )
}
