import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import type { AuditEvent, AuditType } from '@vrata/contract/audit'
import * as audit from '@vrata/contract/audit'
import { paths } from '@vrata/contract/page-addresses'
import { useFormErrors } from '../../lib/api/form-errors.ts'
import { dataOrThrow, useCall } from '../../lib/api/use-call.ts'
import { type AppContext, useAppContext } from '../../lib/app-context.tsx'
import { downloadFile } from '../../lib/download-file.ts'
import { formatTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/content/time.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { FilterSelect } from '../../ui/form/filter-select.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Row, Rows } from '../../ui/layout/row.tsx'

type Filter = { type?: AuditType }

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

/** What operators, commands and the system have done, newest first. The address has the filter. */
export function AuditPage() {
  const { t } = useI18n()
  const router = useRouter()
  const { type } = useSearch({ strict: false }) as { type?: string }
  const known = audit.AUDIT_TYPES.find((one) => one === type)
  const filter: Filter = known ? { type: known } : {}
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    auditPages(useAppContext(), filter),
  )
  const events = data?.pages.flatMap((page) => page.events)
  const show = (next: string) =>
    void router.navigate({ href: next ? `${paths.adminAudit}?type=${next}` : paths.adminAudit, replace: true })

  return (
    <div className="space-y-6">
      <PageHead title={t('audit.title')} text={t('audit.text')} action={<ExportButton filter={filter} />} />
      <search className="block max-w-100">
        <FilterSelect
          label={t('audit.type')}
          all={t('audit.type.all')}
          value={known}
          options={audit.AUDIT_TYPES.map((one) => [one, t(`audit.${one}`)])}
          onChoose={show}
        />
      </search>
      <Card>
        {events?.length ? (
          <Rows label={t('audit.title')}>
            {events.map((event) => (
              <EventRow key={event.id} event={event} />
            ))}
          </Rows>
        ) : events ? (
          <EmptyState text={t(known ? 'audit.none' : 'audit.empty')} />
        ) : error ? (
          <ErrorState title={t('audit.failed')} text={t('audit.failed_text')} onRetry={() => void refetch()} />
        ) : (
          <SkeletonRows rows={6} label={t('audit.loading')} />
        )}
      </Card>
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('audit.more')}
        </Button>
      )}
    </div>
  )
}

/** Kinds of subjects that have no name of today, or had one. */
const NAMED_BY_ID: readonly string[] = ['group', 'client', 'organization']
/** Kinds of subjects whose name is missing once the account is deleted. */
const PEOPLE = ['user', 'operator']

function EventRow({ event: { type, at, actor, subject, changes = {} } }: { event: AuditEvent }) {
  const { t, find, format } = useI18n()
  const who = actor.name ?? t(actor.kind === 'system' ? 'audit.system' : 'audit.gone')
  const unnamed = NAMED_BY_ID.includes(subject.kind)
    ? subject.id
    : PEOPLE.includes(subject.kind)
      ? t('audit.gone')
      : undefined
  const whom = subject.name ?? unnamed
  const shown = (value: unknown) =>
    value === null ? t('audit.nothing') : (find(`operators.role.${value}`) ?? String(value))
  const changed = Object.entries(changes).map(([field, [before, after]]) =>
    t('audit.change', {
      field: find(`audit.field.${field}`) ?? field,
      before: shown(before),
      after: shown(after),
    }),
  )
  return (
    <Row
      label={t(`audit.${type}`)}
      text={[whom, ...changed, t('audit.by', { name: who })].filter(Boolean).join(' · ')}
      value={<Time at={at} {...formatTime(at, format)} />}
    />
  )
}

function ExportButton({ filter }: { filter: Filter }) {
  const { t } = useI18n()
  const { errorMessage } = useFormErrors()
  const { run, busy } = useCall(audit.exportAudit)
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
