import { infiniteQueryOptions } from '@tanstack/react-query'
import type { OrganizationStatus } from '@vrata/contract/admin-organizations'
import * as adminOrganizations from '@vrata/contract/admin-organizations'
import { callQuery, dataOrThrow } from '../../lib/api/call-query.ts'
import { withoutRetry, withoutRetryOnMount } from '../../lib/api/without-retry.ts'
import type { AppContext } from '../../lib/app-context.tsx'

export type OrganizationFilter = { query?: string; status?: OrganizationStatus }

/** Organizations of the installation, in pages. */
export const organizationPages = ({ api }: Pick<AppContext, 'api'>, filter: OrganizationFilter) =>
  infiniteQueryOptions({
    queryKey: [adminOrganizations.listAdminOrganizations.path, filter],
    queryFn: async ({ pageParam: cursor }) => {
      const answer = await api(adminOrganizations.listAdminOrganizations, { ...filter, ...(cursor && { cursor }) })
      return { organizations: dataOrThrow(answer), next: answer.ok ? answer.next_cursor : null }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })

export const organizationQuery = (context: Pick<AppContext, 'api'>, id: string) =>
  withoutRetryOnMount(callQuery(context, adminOrganizations.getAdminOrganization, { id }))

export const preloadOrganization = (context: AppContext, { organizationId = '' }: Record<string, string>) =>
  context.queries.prefetchQuery(withoutRetry(organizationQuery(context, organizationId)))
