import type { AnswerOf, developers, InputOf } from '@vrata/contract'
import { fromJson } from '../../db/values.ts'
import type { AppDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { findUsers, type User } from '../account/public.ts'
import { listDeveloperActivities } from './activity-store.ts'
import { displayName } from './display-name.ts'

/**
 * Lists what members did, newest first (api §5). Members and clients appear with today's names, blocked users only with
 * what they let the developer account see (decision 0025), invited people with their address while the invitation is kept.
 */
export async function listDeveloperActivity(
  deps: Pick<AppDeps, 'db' | 'clientCards' | 'developerUserNames' | 'invitations'>,
  actor: MemberActor,
  { cursor, limit, ...filter }: InputOf<typeof developers.listDeveloperActivity>,
): Promise<AnswerOf<typeof developers.listDeveloperActivity>> {
  // One row more than the page shows whether there is a next page.
  const rows = await listDeveloperActivities(deps.db, actor.developer_id, {
    ...filter,
    before: cursor,
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  const entries = page.map((row) => ({ ...row, params: fromJson<Record<string, string>>(row.params) }))
  const named = (param: string) => uniqueIds(entries.map(({ params }) => params[param]))
  const actors = page.map(({ user_id }) => user_id)
  const [users, apps, names, addresses] = await Promise.all([
    findUsers(deps.db, uniqueIds([...actors, ...named('member')])),
    deps.clientCards.find(deps.db, uniqueIds(page.map(({ client_id }) => client_id))),
    deps.developerUserNames.find(deps.db, actor.developer_id, named('user')),
    deps.invitations.findAddresses(deps.db, actor.developer_id, named('invitation')),
  ])
  const people = new Map(users.map((user) => [user.id, toActivityUser(user)]))
  const cards = new Map(apps.map((app) => [app.client_id, app]))
  const nameOf = ({ user = '', member = '', invitation = '' }: Record<string, string>) =>
    names.get(user) ?? people.get(member)?.name ?? addresses.get(invitation)
  return {
    data: entries.map(({ id, type, created_at, user_id, client_id, params }) => ({
      id,
      type: type as developers.DeveloperActivityType,
      created_at,
      user: people.get(user_id ?? '') ?? null,
      app: cards.get(client_id ?? '') ?? null,
      params: { ...params, ...nameParam(nameOf(params)) },
    })),
    next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  }
}

function uniqueIds(ids: (string | null | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => typeof id === 'string'))]
}

function nameParam(name: string | undefined): { name?: string } {
  return name === undefined ? {} : { name }
}

function toActivityUser(user: User) {
  return { id: user.id, name: displayName(user), profile_picture: user.profile_picture }
}
