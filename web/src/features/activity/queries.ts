import { infiniteQueryOptions } from '@tanstack/react-query'
import { activity, connections, sessions } from '@vrata/contract'
import { ACTIVITY_TYPES, type ActivityType } from '@vrata/contract/activity'
import { callQuery, dataOrThrow } from '../../lib/api/call-query.ts'
import type { AppContext } from '../../lib/app-context.tsx'

/** Filter in the query, so that back navigation restores it. */
export type ActivityFilter = { type?: ActivityType; client_id?: string; session_id?: string }

/** Parses the filter of an address; unknown types are ignored. */
export function filterOf(query: { [name in keyof ActivityFilter]?: string }): ActivityFilter {
  const type = ACTIVITY_TYPES.find((known) => known === query.type)
  const { client_id, session_id } = query
  return { ...(type && { type }), ...(client_id && { client_id }), ...(session_id && { session_id }) }
}

/** Pages of activity, newest first. */
export const activityPages = ({ api }: Pick<AppContext, 'api'>, filter: ActivityFilter) =>
  infiniteQueryOptions({
    queryKey: [activity.listActivity.path, 'pages', filter],
    queryFn: async ({ pageParam: cursor }) => {
      const answer = await api(activity.listActivity, { ...filter, ...(cursor && { cursor }) })
      return { rows: dataOrThrow(answer), next: answer.ok ? answer.next_cursor : null }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })

export const connectedApps = (context: Pick<AppContext, 'api'>) => callQuery(context, connections.listConnections, {})
export const openSessions = (context: Pick<AppContext, 'api'>) => callQuery(context, sessions.listSessions, {})
