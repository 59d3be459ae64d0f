import { infiniteQueryOptions } from '@tanstack/react-query'
import * as adminClients from '@vrata/contract/admin-clients'
import { dataOrThrow } from '../../lib/api/call-query.ts'
import type { AppContext } from '../../lib/app-context.tsx'

export type ClientFilter = { query?: string; status?: adminClients.ClientStatus }

/** Apps of the installation, in pages. */
export const clientPages = ({ api }: Pick<AppContext, 'api'>, filter: ClientFilter) =>
  infiniteQueryOptions({
    queryKey: [adminClients.listAdminClients.path, filter],
    queryFn: async ({ pageParam: cursor }) => {
      const answer = await api(adminClients.listAdminClients, { ...filter, ...(cursor && { cursor }) })
      return { clients: dataOrThrow(answer), next: answer.ok ? answer.next_cursor : null }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
