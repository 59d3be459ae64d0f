import { useQuery } from '@tanstack/react-query'
import type { UserSort } from '@vrata/contract/users'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import type { SetAddressFilter } from '../../lib/list-filter/use-address-filter.ts'
import { FilterSelect } from '../../ui/form/filter-select.tsx'
import { SearchField } from '../../ui/form/search-field.tsx'
import { clientOptions, type UserView } from './queries.ts'

/** Orders besides the default. */
const SORTS = ['oldest', 'name'] as const satisfies readonly UserSort[]

/** Search by prefix of shared values, filters by app and state, and order. */
export function UserFilters({ view, set }: { view: UserView; set: SetAddressFilter<keyof UserView> }) {
  const { t } = useI18n()
  const { data = [] } = useQuery(clientOptions(useAppContext()))
  return (
    <div className="two-columns gap-3 sm:grid-cols-3">
      <div className="col-span-full">
        <SearchField
          label={t('users.search')}
          placeholder={t('users.search_for')}
          text={view.query}
          onSearch={(query) => set({ query })}
        />
      </div>
      <FilterSelect
        className="max-sm:col-span-full"
        label={t('users.app')}
        all={t('users.all_apps')}
        value={view.client_id}
        options={data.map(({ client_id, name }) => [client_id, name])}
        onChoose={(client_id) => set({ client_id })}
      />
      <FilterSelect
        label={t('users.state')}
        all={t('users.all_states')}
        value={view.blocked}
        options={[
          ['false', t('users.state.false')],
          ['true', t('users.state.true')],
        ]}
        onChoose={(blocked) => set({ blocked })}
      />
      {/* The server sorts search results by the matched value. */}
      {!view.query && (
        <FilterSelect
          label={t('users.sort')}
          all={t('users.sort.newest')}
          value={view.sort}
          options={SORTS.map((sort) => [sort, t(`users.sort.${sort}`)])}
          onChoose={(sort) => set({ sort })}
        />
      )}
    </div>
  )
}
