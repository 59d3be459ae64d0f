import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { CallError, requestIdOf } from '../../../lib/api/call-query.ts'
import { useAppContext } from '../../../lib/app-context.tsx'
import { useI18n } from '../../../lib/i18n.tsx'
import { ErrorCard } from '../../../ui/feedback/error-card.tsx'
import { Shimmer } from '../../../ui/feedback/skeleton.tsx'
import { PublicCard } from '../../../ui/layout/public-card.tsx'
import { type ConsentRequest, consentOf } from '../queries.ts'
import { ConsentCard } from './consent-card.tsx'
import { ConsentError, pageErrorOf } from './consent-error.tsx'

/** Query parameters: a pending request, or an error. */
type Query = { uid?: string; client_id?: string; scope?: string; error?: string; sign_out?: string }

/** "Allow access" (product §2.1): the request of an app, or its error. */
export function ConsentPage() {
  const { uid, client_id, scope = '', error, sign_out } = useSearch({ strict: false }) as Query
  if (error !== undefined || !client_id)
    return (
      <ConsentError
        error={error ?? 'invalid_request'}
        client_id={client_id}
        uid={uid}
        signOut={sign_out !== undefined}
      />
    )
  return <Consent asking={{ client: client_id, scopes: scope, ...(uid ? { uid } : {}) }} />
}

function Consent({ asking }: { asking: ConsentRequest }) {
  const { t } = useI18n()
  const request = consentOf(useAppContext(), asking)
  const { data, dataUpdatedAt, error, refetch } = useQuery(request)
  // The choices for one request do not apply to another one, which a notice or Back may open.
  if (data)
    return (
      <ConsentCard key={JSON.stringify(request.queryKey)} asking={asking} consent={data} receivedAt={dataUpdatedAt} />
    )
  if (!error) return <Loading />
  const known = error instanceof CallError ? pageErrorOf(error.problem.code, asking.uid) : undefined
  if (known) return <ConsentError error={known} client_id={asking.client} uid={asking.uid} />
  return (
    <ErrorCard
      title={t('ui.error.heading')}
      text={t('ui.error.text')}
      onRetry={() => void refetch()}
      code={requestIdOf(error)}
    />
  )
}

function Loading() {
  const { t } = useI18n()
  return (
    <PublicCard>
      <div role="status" aria-label={t('connections.loading')} className="flex flex-col items-center gap-4">
        <Shimmer className="h-18 w-44" />
        <Shimmer className="mt-2 h-8 w-full" />
        <Shimmer className="h-15 w-full" corner="rounded-control" />
        {[1, 2, 3].map((row) => (
          <Shimmer key={row} className="h-10 w-full" />
        ))}
      </div>
    </PublicCard>
  )
}
