import { connections } from '@vrata/contract'
import { callQuery, JUST_READ } from '../../lib/api/call-query.ts'
import { withoutRetry } from '../../lib/api/without-retry.ts'
import type { AppContext } from '../../lib/app-context.tsx'

/** Parameters of the consent page, set by the issuer. */
export type ConsentRequest = {
  client: string
  /** Space-separated keys. */
  scopes: string
  /** Pending authorization request; without it only the connection changes. */
  uid?: string
}

/** Not cached, because another tab may have granted scopes. */
export const consentOf = (context: Pick<AppContext, 'api'>, asking: ConsentRequest) => ({
  ...callQuery(context, connections.getConsent, asking),
  staleTime: JUST_READ,
})

/** Not cached, because another device may have connected an app. */
export const connectionList = (context: Pick<AppContext, 'api'>) => ({
  ...callQuery(context, connections.listConnections, {}),
  staleTime: JUST_READ,
})

export const preloadConnections = (context: AppContext) =>
  context.queries.prefetchQuery(withoutRetry(connectionList(context)))
