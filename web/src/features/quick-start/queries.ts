import { listQuickStarts } from '@vrata/contract/quick-start'
import { callQuery } from '../../lib/api/call-query.ts'
import { withoutRetry } from '../../lib/api/without-retry.ts'
import type { AppContext } from '../../lib/app-context.tsx'

export const quickStarts = (context: Pick<AppContext, 'api'>, id: string) => callQuery(context, listQuickStarts, { id })

export const preloadQuickStart = (context: AppContext, { clientId = '' }: Record<string, string>) =>
  context.queries.prefetchQuery(withoutRetry(quickStarts(context, clientId)))
