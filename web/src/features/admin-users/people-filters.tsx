import { useQuery } from '@tanstack/react-query'
import { USER_STATUSES } from '@vrata/contract/admin-users'
import * as groups from '@vrata/contract/groups'
import { LIMITS } from '@vrata/contract/limits'
import { useEffect, useRef } from 'react'
import { callQuery } from '../../lib/api/use-call.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { setFilter } from '../../lib/list-filter/set-filter.ts'
import { TextField } from '../../ui/form/field.tsx'
import { FilterSelect } from '../../ui/form/filter-select.tsx'
import type { PeopleFilter } from './people-queries.ts'

/** Milliseconds of pause in typing before the list reloads. */
const PAUSE = 300

/** Search by name, user name, address or id, and filter by state. */
export function PeopleFilters({ filter, onChange }: { filter: PeopleFilter; onChange: (next: PeopleFilter) => void }) {
  const { t } = useI18n()
  const { data: known = [] } = useQuery(callQuery(useAppContext(), groups.listGroups, { limit: LIMITS.page_max }))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => () => clearTimeout(timer.current), [])
  // Clears the input when the filter is cleared elsewhere.
  useEffect(() => {
    if (!filter.query && input.current) input.current.value = ''
  }, [filter.query])
  const set = (name: keyof PeopleFilter, value: string) => onChange(setFilter(filter, name, value))
  const typed = (value: string) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => set('query', value.trim()), PAUSE)
  }
  return (
    <search className="grid gap-3 sm:grid-cols-[2fr_1fr_1fr]">
      <TextField
        ref={input}
        type="search"
        label={t('admin-users.search')}
        placeholder={t('admin-users.search_for')}
        defaultValue={filter.query}
        maxLength={LIMITS.search_max}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => typed(target.value)}
      />
      <FilterSelect
        label={t('admin-users.status')}
        all={t('admin-users.status.all')}
        value={filter.status}
        options={USER_STATUSES.map((status) => [status, t(`admin-users.status.${status}`)])}
        onChoose={(status) => set('status', status)}
      />
      {(known.length > 0 || filter.group) && (
        <FilterSelect
          label={t('admin-users.group')}
          all={t('admin-users.group.all')}
          value={filter.group}
          options={known.map(({ key, name }) => [key, name])}
          onChoose={(group) => set('group', group)}
        />
      )}
    </search>
  )
}
