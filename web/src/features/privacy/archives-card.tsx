import type { UseQueryResult } from '@tanstack/react-query'
import { privacy } from '@vrata/contract'
import { ARCHIVE_PARTS, type DataRequest } from '@vrata/contract/privacy'
import { requestIdOf } from '../../lib/api/call-query.ts'
import { useBusyCall } from '../../lib/api/use-busy-call.ts'
import { useFailureMessage } from '../../lib/api/use-failure-message.ts'
import { downloadFile } from '../../lib/download-file.ts'
import { parseServerTime } from '../../lib/format/time.ts'
import { useI18n } from '../../lib/i18n.tsx'
import { Button } from '../../ui/button.tsx'
import { Badge, type BadgeLook } from '../../ui/feedback/badge.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { ArchiveIcon, DownloadIcon } from '../../ui/icons/signed-in-icons.tsx'
import { Card, CardHead } from '../../ui/layout/card.tsx'
import { Rows } from '../../ui/layout/row.tsx'
import { formatBytes } from './format-bytes.ts'
import { isRunning } from './queries.ts'

const LOOKS: Record<DataRequest['state'], BadgeLook> = {
  queued: 'accent',
  building: 'accent',
  ready: 'on',
  expired: 'off',
  failed: 'danger',
}

/** Requested archives with their state, newest first. */
export function ArchivesCard({ requests }: { requests: UseQueryResult<DataRequest[]> }) {
  const { t } = useI18n()
  const { data, error, refetch } = requests
  return (
    <Card aria-labelledby="archives">
      <CardHead id="archives" title={t('privacy.archives.title')} />
      <p role="status" className="sr-only">
        {data?.[0] && t(`privacy.state.${data[0].state}`)}
      </p>
      {data?.length ? (
        <Rows>
          {data.map((request) => (
            <ArchiveRow key={request.id} request={request} />
          ))}
        </Rows>
      ) : data ? (
        <EmptyState text={t('privacy.archives.empty')} />
      ) : error ? (
        <ErrorState
          title={t('privacy.archives.failed')}
          text={t('privacy.failed_text')}
          onRetry={() => void refetch()}
          code={requestIdOf(error)}
        />
      ) : (
        <SkeletonRows rows={2} label={t('privacy.loading')} />
      )}
    </Card>
  )
}

function ArchiveRow({ request }: { request: DataRequest }) {
  const { t, format, locale } = useI18n()
  const { state, parts, created_at, ready_until, bytes } = request
  const all = parts.length === ARCHIVE_PARTS.length
  const about = [
    all
      ? t('privacy.archives.all')
      : format.list(
          parts.map((part) => t(`privacy.part.${part}`)).map((name, index) => (index ? format.inText(name) : name)),
        ),
    bytes !== null && formatBytes(locale, bytes),
  ].filter(Boolean)
  return (
    <div className="relative flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-3.5 sm:px-6">
      <ArchiveIcon className="text-muted" />
      <div className="min-w-0 grow basis-52">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
          {format.dateTime(parseServerTime(created_at))}
          <Badge look={LOOKS[state]}>{t(`privacy.state.${state}`)}</Badge>
        </p>
        <p className="text-small text-muted">{about.join(' · ')}</p>
        <p className="text-small text-muted">
          {state === 'ready' && ready_until
            ? t('privacy.state.until', { date: format.dateTime(parseServerTime(ready_until)) })
            : t(`privacy.state.${state}.text`)}
        </p>
      </div>
      {state === 'ready' && <Download id={request.id} created_at={created_at} />}
      {isRunning(request) && <span aria-hidden="true" className="progress-strip absolute inset-x-0 bottom-0 h-0.75" />}
    </div>
  )
}

/** Downloads the archive. The call asks for reauthentication when needed. */
function Download({ id, created_at }: Pick<DataRequest, 'id' | 'created_at'>) {
  const { t } = useI18n()
  const { run, busy } = useBusyCall(privacy.downloadData)
  const { message, place, fail, clear } = useFailureMessage<HTMLParagraphElement>()
  const name = `vrata-${created_at.slice(0, 10)}.zip`

  async function download() {
    clear()
    const answer = await run({ id })
    if (answer.ok) return downloadFile(answer.data as Blob, name)
    if (answer.problem.code !== 'reauthentication_required') fail(name, answer)
  }

  return (
    <>
      <Button size="small" busy={busy} onClick={() => void download()}>
        <DownloadIcon />
        {t('privacy.archives.download')}
      </Button>
      <p ref={place} role="alert" className="w-full font-medium text-danger empty:hidden">
        {message}
      </p>
    </>
  )
}
