import { useQuery } from '@tanstack/react-query'
import { DEVELOPER_ACTIVITY_TYPES, type DeveloperActivity } from '@vrata/contract/developers'
import * as members from '@vrata/contract/members'
import { useI18n } from '../../lib/i18n.tsx'
import { callQuery } from '../../lib/use-call.ts'
import { useWires } from '../../lib/wires.tsx'
import { accountName } from '../../ui/account-card.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import type { ActivityFilter } from './data.ts'

type FiltersProps = {
  filter: ActivityFilter
  rows: readonly DeveloperActivity[]
  onChange: (filter: ActivityFilter) => void
}

/** Narrows the activity to a kind of deed and to whoever did it. */
export function Filters({ filter, rows, onChange }: FiltersProps) {
  const { t } = useI18n()
  const people = usePeople(rows)
  const choose = (name: keyof ActivityFilter) => (value: string) => {
    const { [name]: _, ...others } = filter
    onChange(value ? { ...others, [name]: value } : others)
  }
  return (
    <div className="grid grid-cols-2 gap-3">
      <Choice
        label={t('organization.filter.type')}
        all={t('organization.filter.all_types')}
        value={filter.type}
        options={DEVELOPER_ACTIVITY_TYPES.map((type) => [
          type,
          t(`organization.did.${type}`, { name: 'none', removed: 'false' }),
        ])}
        onChoose={choose('type')}
      />
      <Choice
        label={t('organization.filter.person')}
        all={t('organization.filter.everybody')}
        value={filter.user_id}
        options={people}
        onChoose={choose('user_id')}
      />
    </div>
  )
}

type Options = readonly (readonly [value: string, label: string])[]

function Choice(props: {
  label: string
  all: string
  value: string | undefined
  options: Options
  onChoose: (value: string) => void
}) {
  const { label, all, value = '', options, onChoose } = props
  const unknown = value && !options.some(([known]) => known === value)
  return (
    <SelectField label={label} value={value} onChange={({ target }) => onChoose(target.value)}>
      <option value="">{all}</option>
      {unknown && <option value={value}>{value}</option>}
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </SelectField>
  )
}

/** All members, and whoever has left since, as far as the rows here name them. */
function usePeople(rows: readonly DeveloperActivity[]): Options {
  const { data = [] } = useQuery(callQuery(useWires(), members.listMembers, {}))
  const left = rows.flatMap(({ user }) => (user ? [[user.id, user.name] as const] : []))
  const joined = data.flatMap(({ pending, user }) =>
    user.id && !pending ? [[user.id, accountName(user)] as const] : [],
  )
  return [...new Map([...left, ...joined])].sort(([, a], [, b]) => a.localeCompare(b))
}
