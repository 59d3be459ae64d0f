import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import type { AuditEvent, AuditType } from '@vrata/contract/audit'
import * as audit from '@vrata/contract/audit'
import { useState } from 'react'
import { dataOrThrow, requestIdOf } from '../../lib/api/call-query.ts'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { MoreButton } from '../../lib/api/more-button.tsx'
import { useBusyCall } from '../../lib/api/use-busy-call.ts'
import { type AppContext, useAppContext } from '../../lib/app-context.tsx'
import { downloadFile } from '../../lib/download-file.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { useAddressFilter } from '../../lib/list-filter/use-address-filter.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { FilterSelect } from '../../ui/form/filter-select.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Rows } from '../../ui/layout/row.tsx'
import { EventRow } from './event-row.tsx'

type Filter = { type?: AuditType; subject?: string; organization?: string; from?: string }
const PERIODS = ['1', '7', '30'] as const
const DAY = 24 * 60 * 60 * 1000

const auditPages = ({ api }: Pick<AppContext, 'api'>, filter: Filter) =>
  infiniteQueryOptions({
    queryKey: [audit.listAudit.path, filter],
    queryFn: async ({ pageParam: cursor }) => {
      const answer = await api(audit.listAudit, { ...filter, ...(cursor && { cursor }) })
      return { events: dataOrThrow(answer), next: answer.ok ? answer.next_cursor : null }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })

/** The audit log, newest first. The address has the filter. */
export function AuditPage() {
  const { t } = useI18n()
  const { filter, period, set } = useFilter()
  const list = useInfiniteQuery(auditPages(useAppContext(), filter))
  const { data, error, refetch } = list
  const events = data?.pages.flatMap((page) => page.events)
  const isFiltered = Object.keys(filter).length > 0

  return (
    <div className="space-y-6">
      <PageHead title={t('audit.title')} text={t('audit.text')} action={<ExportButton filter={filter} />} />
      <search className="grid gap-3 sm:grid-cols-[2fr_1fr]">
        <EventTypeSelect value={filter.type} onChoose={(type) => set({ type })} />
        <FilterSelect
          label={t('audit.period')}
          all={t('audit.period.all')}
          value={period}
          options={PERIODS.map((days) => [days, t(`audit.period.${days}`)])}
          onChoose={(days) => set({ days })}
        />
      </search>
      {(filter.subject || filter.organization) && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p>{t('audit.about', { name: nameOf(filter, events) })}</p>
          <Button onClick={() => set({ subject: '', organization: '' })}>{t('audit.about_all')}</Button>
        </div>
      )}
      <Card>
        {events?.length ? (
          <Rows label={t('audit.title')}>
            {events.map((event) => (
              <EventRow key={event.id} event={event} />
            ))}
          </Rows>
        ) : events ? (
          <EmptyState text={t(isFiltered ? 'audit.none' : 'audit.empty')} />
        ) : error ? (
          <ErrorState
            title={t('audit.failed')}
            text={t('audit.failed_text')}
            onRetry={() => void refetch()}
            code={requestIdOf(error)}
          />
        ) : (
          <SkeletonRows rows={6} label={t('audit.loading')} />
        )}
      </Card>
      <MoreButton list={list} />
    </div>
  )
}

/** The filter that the address has. Values that are not offered count as none. */
function useFilter() {
  const [search, set] = useAddressFilter(['type', 'subject', 'organization', 'days'])
  const type = audit.AUDIT_TYPES.find((one) => one === search.type)
  const period = PERIODS.find((days) => days === search.days)
  const { subject, organization } = search
  // To the hour, so that the key of the query stays the same while the page is open.
  const now = useI18n().format.now
  const [hour] = useState(() => Math.floor(now() / (DAY / 24)) * (DAY / 24))
  const filter: Filter = {
    ...(type && { type }),
    ...(subject && { subject }),
    ...(organization && { organization }),
    ...(period && { from: new Date(hour - Number(period) * DAY).toISOString() }),
  }
  return { filter, period, set }
}

/** The name of what the list is about, as its events have it. */
function nameOf({ subject, organization }: Filter, events: readonly AuditEvent[] = []): string {
  const about = events.map((event) => (subject ? event.subject : event.organization))
  return about.find((one) => one?.name)?.name ?? subject ?? organization ?? ''
}

/** Types by area, by the part before the dot; those of no other area are about the installation. */
const AREAS = {
  user: ['user', 'network'],
  organization: ['organization', 'member', 'invitation'],
  client: ['client', 'registration_token'],
  group: ['group'],
  operator: ['operator'],
  installation: [],
} as const satisfies Record<string, readonly string[]>

function EventTypeSelect({ value = '', onChoose }: { value: string | undefined; onChoose: (type: string) => void }) {
  const { t } = useI18n()
  const areaOf = (type: AuditType) => {
    const [kind = ''] = type.split('.')
    return Object.entries<readonly string[]>(AREAS).find(([, kinds]) => kinds.includes(kind))?.[0] ?? 'installation'
  }
  return (
    <SelectField label={t('audit.type')} value={value} onChange={({ target }) => onChoose(target.value)}>
      <option value="">{t('audit.type.all')}</option>
      {(Object.keys(AREAS) as (keyof typeof AREAS)[]).map((area) => (
        <optgroup key={area} label={t(`audit.area.${area}`)}>
          {audit.AUDIT_TYPES.filter((type) => areaOf(type) === area).map((type) => (
            <option key={type} value={type}>
              {t(`audit.${type}`)}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  )
}

function ExportButton({ filter }: { filter: Filter }) {
  const { t } = useI18n()
  const { errorMessage } = useFormErrors()
  const { run, busy } = useBusyCall(audit.exportAudit)
  async function take() {
    const answer = await run(filter)
    if (!answer.ok) return toast(errorMessage(answer))
    downloadFile(answer.data as Blob, `audit-${new Date().toISOString().slice(0, 10)}.csv`)
  }
  return (
    <Button busy={busy} onClick={() => void take()}>
      {t('audit.export')}
    </Button>
  )
}
