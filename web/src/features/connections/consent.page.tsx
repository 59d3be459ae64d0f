import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useI18n } from '../../lib/i18n.tsx'
import { CallFailed } from '../../lib/use-call.ts'
import { useWires } from '../../lib/wires.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PublicCard } from '../../ui/public-card.tsx'
import { Shimmer } from '../../ui/skeleton.tsx'
import { ConsentCard } from './consent-card.tsx'
import { ConsentError, pageErrorOf } from './consent-error.tsx'
import { type Asking, consentOf } from './data.ts'

/** What may stand behind the question mark: a waiting request, or why there is none. */
type Query = { uid?: string; client_id?: string; scope?: string; error?: string }

/** "Allow access" (specification §2): what an app asks for, or what is wrong with its request. */
export function ConsentPage() {
  const { uid, client_id, scope = '', error } = useSearch({ strict: false }) as Query
  if (error !== undefined || !client_id)
    return <ConsentError error={error ?? 'invalid_request'} client_id={client_id} uid={uid} />
  return <Asked asking={{ client: client_id, scopes: scope, ...(uid ? { uid } : {}) }} />
}

function Asked({ asking }: { asking: Asking }) {
  const { t } = useI18n()
  const { data, error, refetch } = useQuery(consentOf(useWires(), asking))
  if (data) return <ConsentCard asking={asking} consent={data} />
  if (!error) return <Loading />
  const known = error instanceof CallFailed ? pageErrorOf(error.problem.code, asking.uid) : undefined
  if (known) return <ConsentError error={known} client_id={asking.client} uid={asking.uid} />
  return (
    <PublicCard>
      <ErrorState
        heading="h1"
        title={t('ui.error.heading')}
        text={t('ui.error.text')}
        onRetry={() => void refetch()}
        code={error instanceof CallFailed ? error.problem.request_id : undefined}
      />
    </PublicCard>
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
