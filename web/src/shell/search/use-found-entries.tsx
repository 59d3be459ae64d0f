import { useQuery } from '@tanstack/react-query'
import { clients, connections, members, users } from '@vrata/contract'
import type { UserInfo } from '@vrata/contract/account'
import { paths } from '@vrata/contract/page-addresses'
import { callQuery } from '../../lib/api/call-query.ts'
import { withoutRetry } from '../../lib/api/without-retry.ts'
import { useAppContext } from '../../lib/app-context.tsx'
import { useI18n } from '../../lib/i18n.tsx'
import { can } from '../../lib/organizations/allowed-calls.ts'
import { accountName } from '../../ui/identity/account-card.tsx'
import { Picture } from '../../ui/identity/picture.tsx'
import type { Entry } from './entries.ts'

/** Results that the server is asked for in a group. */
const LIMIT = 6

/**
 * Apps and people: connected apps, and what the level of the user in the current organization allows (apps, members, users
 * of its apps). The server filters apps and users by the query. `state`: whether all of them have been looked for.
 */
export function useFoundEntries(user: UserInfo, query: string) {
  const context = useAppContext()
  const { t } = useI18n()
  const asked = query.trim()
  const inOrganization = user.email_verified && asked !== ''
  const developer = user.developer_id ?? ''
  const organization = user.developer_accounts.find((one) => one.developer_id === developer)?.name

  const connected = useQuery({
    ...withoutRetry(callQuery(context, connections.listConnections, {})),
    enabled: asked !== '',
  })
  const apps = useQuery({
    ...withoutRetry(callQuery(context, clients.listClients, { query: asked, limit: LIMIT })),
    enabled: inOrganization && can(user, clients.listClients),
  })
  const team = useQuery({
    ...withoutRetry(callQuery(context, members.listMembers, {})),
    enabled: inOrganization && can(user, members.listMembers),
  })
  const people = useQuery({
    ...withoutRetry(callQuery(context, users.listUsers, { query: asked, limit: LIMIT })),
    enabled: inOrganization && can(user, users.listUsers),
  })
  const queries = [connected, apps, team, people]
  const state = queries.some((query) => query.isLoadingError)
    ? 'failed'
    : queries.some((query) => query.isLoading)
      ? 'loading'
      : 'complete'

  const entries = [
    ...(connected.data ?? []).map(
      ({ client: { client_id, name, icon } }): Entry => ({
        key: `connected ${client_id}`,
        group: 'apps',
        label: name,
        text: t('search.connected'),
        picture: <Picture kind="app" url={icon} name={name} size={24} />,
        href: paths.connectedApp(client_id),
      }),
    ),
    ...(apps.data ?? []).map(
      ({ client_id, name, icon }): Entry => ({
        key: `app ${client_id}`,
        group: 'apps',
        label: name,
        text: organization,
        picture: <Picture kind="app" url={icon} name={name} size={24} />,
        href: paths.client(developer, client_id),
      }),
    ),
    ...(team.data ?? []).map(
      ({ id, user: member, permission }): Entry => ({
        key: `member ${id}`,
        group: 'people',
        label: accountName(member),
        text: [member.email, t(`menu.level.${permission}`), organization].filter(Boolean).join(' · '),
        picture: <Picture kind="user" url={member.profile_picture} name={accountName(member)} size={24} />,
        href: paths.members(developer),
      }),
    ),
    ...(people.data ?? []).map(
      ({ id, name, email, profile_picture }): Entry => ({
        key: `user ${id}`,
        group: 'people',
        label: name ?? email ?? id,
        text: [name ? email : undefined, t('search.user')].filter(Boolean).join(' · '),
        picture: <Picture kind="user" url={profile_picture} name={name ?? email ?? ''} size={24} />,
        href: `${paths.users(developer)}?${new URLSearchParams({ query: email ?? name ?? id })}`,
      }),
    ),
  ]
  return { entries, state } as const
}
