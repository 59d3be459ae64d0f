import { useQuery } from '@tanstack/react-query'
import { ACTIVITY_TYPES, type Activity } from '@vrata/contract/activity'
import { useI18n } from '../../lib/i18n.tsx'
import { shownTime } from '../../lib/time.ts'
import { useWires } from '../../lib/wires.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { type ActivityFilter, connectedApps, openSessions } from './data.ts'
import { deviceOf } from './device.ts'

export type FiltersProps = {
  filter: ActivityFilter
  /** The rows that are on the page: they know apps and devices that are gone. */
  rows: readonly Activity[]
  onChange: (filter: ActivityFilter) => void
}

/** Narrows the list down by kind, app and device. */
export function Filters({ filter, rows, onChange }: FiltersProps) {
  const { t } = useI18n()
  const apps = useApps(rows)
  const devices = useDevices(rows)
  const choose = (name: keyof ActivityFilter) => (value: string) => {
    const { [name]: _, ...others } = filter
    onChange(value ? { ...others, [name]: value } : others)
  }
  return (
    <div className="grid grid-cols-2 gap-3 *:first:col-span-2 sm:grid-cols-3 sm:*:first:col-span-1">
      <Choice
        label={t('privacy.filter.type')}
        all={t('privacy.filter.all_types')}
        value={filter.type}
        options={ACTIVITY_TYPES.map((type) => [type, t(`activity.${type}`, { app: 'none' })])}
        onChoose={choose('type')}
      />
      <Choice
        label={t('privacy.filter.app')}
        all={t('privacy.filter.all_apps')}
        value={filter.client_id}
        options={apps}
        onChoose={choose('client_id')}
      />
      <Choice
        label={t('privacy.filter.device')}
        all={t('privacy.filter.all_devices')}
        value={filter.session_id}
        options={devices}
        onChoose={choose('session_id')}
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

function useApps(rows: readonly Activity[]): Options {
  const { data = [] } = useQuery(connectedApps(useWires()))
  const known = [...data.map(({ client }) => client), ...rows.flatMap(({ app }) => app ?? [])]
  return [...new Map(known.map(({ client_id, name }) => [client_id, name]))]
}

/** Open sessions say when they were last seen; those that ended are known by the rows they left. */
function useDevices(rows: readonly Activity[]): Options {
  const { t, format } = useI18n()
  const { data = [] } = useQuery(openSessions(useWires()))
  const open = data.map((session) => {
    const when = session.current ? t('privacy.device.current') : shownTime(session.last_seen, format).words
    return [session.id, `${deviceOf(session) || t('privacy.device.unknown')} (${when})`] as const
  })
  const left = rows.flatMap((row) =>
    row.session_id ? [[row.session_id, deviceOf(row) || t('privacy.device.unknown')] as const] : [],
  )
  return [...new Map([...left, ...open])]
}
