import { useQuery } from '@tanstack/react-query'
import { LIMITS } from '@vrata/contract/limits'
import { useEffect, useRef } from 'react'
import { useI18n } from '../../lib/i18n.tsx'
import { useWires } from '../../lib/wires.tsx'
import { TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { apps, type UserFilter } from './data.ts'

/** How long somebody must have stopped typing before the list follows, in milliseconds. */
const PAUSE = 300

/** Finds people by the beginnings of what they allowed, and narrows them down to one app. */
export function Filters({ filter, onChange }: { filter: UserFilter; onChange: (filter: UserFilter) => void }) {
  const { t } = useI18n()
  const { data = [] } = useQuery(apps(useWires()))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => () => clearTimeout(timer.current), [])
  // What was cleared elsewhere is cleared here, too.
  useEffect(() => {
    if (!filter.query && input.current) input.current.value = ''
  }, [filter.query])

  const { query: _, ...app } = filter
  const typed = (value: string) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onChange({ ...app, ...(value.trim() && { query: value.trim() }) }), PAUSE)
  }
  const { client_id: __, ...search } = filter
  const unknown = filter.client_id && !data.some(({ client_id }) => client_id === filter.client_id)
  return (
    <search className="grid gap-3 sm:grid-cols-[2fr_1fr]">
      <TextField
        ref={input}
        type="search"
        label={t('users.search')}
        placeholder={t('users.search_for')}
        defaultValue={filter.query}
        maxLength={LIMITS.name_max}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => typed(target.value)}
      />
      <SelectField
        label={t('users.app')}
        value={filter.client_id ?? ''}
        onChange={({ target }) => onChange({ ...search, ...(target.value && { client_id: target.value }) })}
      >
        <option value="">{t('users.all_apps')}</option>
        {unknown && <option value={filter.client_id}>{filter.client_id}</option>}
        {data.map(({ client_id, name }) => (
          <option key={client_id} value={client_id}>
            {name}
          </option>
        ))}
      </SelectField>
    </search>
  )
}
