import { infiniteQueryOptions } from '@tanstack/react-query'
import { activity, auth, connections } from '@vrata/contract'
import { ACTIVITY_TYPES, type ActivityType } from '@vrata/contract/activity'
import { callQuery, unwrap } from '../../lib/use-call.ts'
import type { Wires } from '../../lib/wires.tsx'

/** What the list is narrowed down to; it stands in the address, so that the way back keeps it. */
export type ActivityFilter = { type?: ActivityType; client_id?: string; session_id?: string }

/** The filter that an address names; words that nobody knows are no filter. */
export function filterOf(query: Record<string, string | undefined>): ActivityFilter {
  const type = ACTIVITY_TYPES.find((known) => known === query.type)
  const { client_id, session_id } = query
  return { ...(type && { type }), ...(client_id && { client_id }), ...(session_id && { session_id }) }
}

/** All of the activity, page by page, newest first. */
export const activityPages = ({ api }: Pick<Wires, 'api'>, filter: ActivityFilter) =>
  infiniteQueryOptions({
    queryKey: [activity.listActivity.path, 'pages', filter],
    queryFn: async ({ pageParam: cursor }) => {
      const answer = await api(activity.listActivity, { ...filter, ...(cursor && { cursor }) })
      return { rows: unwrap(answer), next: answer.ok ? answer.next_cursor : null }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })

export const connectedApps = (wires: Pick<Wires, 'api'>) => callQuery(wires, connections.listConnections, {})
export const openSessions = (wires: Pick<Wires, 'api'>) => callQuery(wires, auth.listSessions, {})
