import { useQuery } from '@tanstack/react-query'
import { ACTIVITY_TYPES, type Activity } from '@vrata/contract/activity'
import { useAppContext } from '../../lib/app-context.tsx'
import { formatTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import type { SetAddressFilter } from '../../lib/list-filter/use-address-filter.ts'
import { type FilterOptions, FilterSelect } from '../../ui/form/filter-select.tsx'
import { deviceText } from './device-text.ts'
import { type ActivityFilter, connectedApps, openSessions } from './queries.ts'

export type ActivityFiltersProps = {
  filter: ActivityFilter
  /** Loaded rows; they also name apps and devices that no longer exist. */
  rows: readonly Activity[]
  set: SetAddressFilter<keyof ActivityFilter>
}

/** Filters by type, app and device. */
export function ActivityFilters({ filter, rows, set }: ActivityFiltersProps) {
  const { t } = useI18n()
  const apps = useApps(rows)
  const devices = useDevices(rows)
  return (
    <div className="two-columns gap-3 max-sm:*:first:col-span-full sm:grid-cols-3">
      <FilterSelect
        label={t('privacy.filter.type')}
        all={t('privacy.filter.all_types')}
        value={filter.type}
        options={ACTIVITY_TYPES.map((type) => [type, t(`activity.${type}`, { app: 'none', service: 'none' })])}
        onChoose={(type) => set({ type })}
      />
      <FilterSelect
        label={t('privacy.filter.app')}
        all={t('privacy.filter.all_apps')}
        value={filter.client_id}
        options={apps}
        onChoose={(client_id) => set({ client_id })}
      />
      <FilterSelect
        label={t('privacy.filter.device')}
        all={t('privacy.filter.all_devices')}
        value={filter.session_id}
        options={devices}
        onChoose={(session_id) => set({ session_id })}
      />
    </div>
  )
}

function useApps(rows: readonly Activity[]): FilterOptions {
  const { data = [] } = useQuery(connectedApps(useAppContext()))
  const known = [
    ...data.map(({ client }) => client),
    ...rows.flatMap(({ app, acting_app }) => [app ?? [], acting_app ?? []].flat()),
  ]
  return [...new Map(known.map(({ client_id, name }) => [client_id, name]))]
}

/** Active sessions have a last use; ended ones are known from loaded rows. */
function useDevices(rows: readonly Activity[]): FilterOptions {
  const { t, format } = useI18n()
  const { data = [] } = useQuery(openSessions(useAppContext()))
  const open = data.map((session) => {
    const when = session.current ? t('privacy.device.current') : formatTime(session.last_seen, format).words
    return [session.id, `${deviceText(session) || t('privacy.device.unknown')} (${when})`] as const
  })
  const left = rows.flatMap((row) =>
    row.session_id ? [[row.session_id, deviceText(row) || t('privacy.device.unknown')] as const] : [],
  )
  return [...new Map([...left, ...open])]
}
