import { infiniteQueryOptions } from '@tanstack/react-query'
import * as clients from '@vrata/contract/clients'
import * as users from '@vrata/contract/users'
import { once } from '../../lib/once.ts'
import { callQuery, unwrap } from '../../lib/use-call.ts'
import type { Wires } from '../../lib/wires.tsx'

/** What the list is narrowed down to; it stands in the address. */
export type UserFilter = { query?: string; client_id?: string }

export function filterOf({ query, client_id }: Record<string, string | undefined>): UserFilter {
  return { ...(query && { query }), ...(client_id && { client_id }) }
}

/** People who are connected to the organisation's apps, page by page. */
export const userPages = ({ api }: Pick<Wires, 'api'>, filter: UserFilter) =>
  infiniteQueryOptions({
    queryKey: [users.listUsers.path, filter],
    queryFn: async ({ pageParam: cursor }) => {
      const answer = await api(users.listUsers, { ...filter, ...(cursor && { cursor }) })
      return { users: unwrap(answer), next: answer.ok ? answer.next_cursor : null }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })

/** The apps to choose from. */
export const apps = (wires: Pick<Wires, 'api'>) => callQuery(wires, clients.listClients, { limit: 100 })

export const primeUsers = (wires: Wires) => wires.queries.prefetchInfiniteQuery(once(userPages(wires, {})))
