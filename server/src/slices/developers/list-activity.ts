import type { AnswerOf, developers, InputOf } from '@vrata/contract'
import { fromJson } from '../../db/values.ts'
import type { ReadDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { findUsers, type User } from '../account/door.ts'
import { listDeveloperActivities } from './activity-store.ts'

/**
 * api.md §5: what was done in the organisation, newest first. People and apps are shown as they are called today;
 * whoever was blocked, only as far as they let the organisation see who they are (decision 0180).
 */
export async function listDeveloperActivity(
  deps: ReadDeps,
  actor: Member,
  { cursor, limit, ...filter }: InputOf<typeof developers.listDeveloperActivity>,
): Promise<AnswerOf<typeof developers.listDeveloperActivity>> {
  // One row more than asked for tells whether there is a next page.
  const rows = await listDeveloperActivities(deps.db, actor.developer_id, {
    ...filter,
    before: cursor,
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  const told = page.map((row) => ({ ...row, params: fromJson<Record<string, string>>(row.params) }))
  const [users, apps, names] = await Promise.all([
    findUsers(deps.db, named(page.map(({ user_id }) => user_id))),
    deps.appCards.of(deps.db, named(page.map(({ client_id }) => client_id))),
    deps.knownPeople.names(deps.db, actor.developer_id, named(told.map(({ params }) => params.user))),
  ])
  const people = new Map(users.map((user) => [user.id, personOf(user)]))
  const cards = new Map(apps.map((app) => [app.client_id, app]))
  return {
    data: told.map(({ id, type, created_at, user_id, client_id, params }) => ({
      id,
      type: type as developers.DeveloperActivityType,
      created_at,
      user: people.get(user_id ?? '') ?? null,
      app: cards.get(client_id ?? '') ?? null,
      params: { ...params, ...nameOf(names.get(params.user ?? '')) },
    })),
    next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  }
}

function named(ids: (string | null | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => typeof id === 'string'))]
}

function nameOf(name: string | undefined): { name?: string } {
  return name === undefined ? {} : { name }
}

function personOf({ id, first_name, last_name, username, email, profile_picture }: User) {
  return { id, name: [first_name, last_name].filter(Boolean).join(' ') || username || email, profile_picture }
}
