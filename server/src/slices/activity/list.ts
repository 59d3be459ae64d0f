import type { AnswerOf, activity, InputOf } from '@vrata/contract'
import type { ActivitiesTable } from '../../db/schema.ts'
import { fromJson } from '../../db/values.ts'
import type { ReadDeps } from '../../deps.ts'
import type { Person } from '../../edge/actors.ts'
import type { AppCard } from '../../ports/app-cards.ts'
import { placeIn } from '../../ports/places.ts'
import { describeScopes } from '../scopes/door.ts'
import { listActivities } from './store.ts'

/** api.md §3: what happened with my account, newest first; an app that is gone leaves its row without a name. */
export async function listActivity(
  deps: ReadDeps,
  actor: Person,
  { cursor, limit, ...filter }: InputOf<typeof activity.listActivity>,
): Promise<AnswerOf<typeof activity.listActivity>> {
  // One row more than asked for tells whether there is a next page.
  const rows = await listActivities(deps.db, actor.user_id, { ...filter, before: cursor, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const [apps, titles, live] = await Promise.all([
    appsOf(deps, page),
    titlesOf(deps, actor, page),
    deps.liveSessions.of(deps.db, actor.user_id, deps.clock.now()),
  ])
  const sessionOf = (id: string | null) => {
    if (id === null) return null
    if (id === actor.session_id) return 'current'
    return live.has(id) ? 'open' : 'ended'
  }
  return {
    data: page.map((row) => ({
      ...row,
      ...details(row, apps, titles),
      location: placeIn(actor.locale, row.location),
      session: sessionOf(row.session_id),
    })),
    next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  }
}

async function appsOf(deps: ReadDeps, rows: ActivitiesTable[]): Promise<Map<string, AppCard>> {
  const ids = new Set(rows.map((row) => row.client_id).filter((id) => id !== null))
  if (ids.size === 0) return new Map()
  const cards = await deps.appCards.of(deps.db, [...ids])
  return new Map(cards.map((card) => [card.client_id, card]))
}

/** Titles of all scopes that are spoken of, as they are called today. */
async function titlesOf(deps: ReadDeps, actor: Person, rows: ActivitiesTable[]): Promise<Map<string, string>> {
  const keys = new Set(rows.flatMap(({ scopes }) => (scopes ? fromJson<string[]>(scopes) : [])))
  const described = await describeScopes(deps.db, [...keys], actor.locale)
  return new Map(described.map(({ key, title }) => [key, title]))
}

function details(row: ActivitiesTable, apps: Map<string, AppCard>, titles: Map<string, string>) {
  const scopes = row.scopes ? fromJson<string[]>(row.scopes) : undefined
  return {
    type: row.type as activity.ActivityType,
    app: row.client_id ? apps.get(row.client_id) : undefined,
    scopes,
    scope_titles:
      scopes && Object.fromEntries(scopes.flatMap((key) => (titles.has(key) ? [[key, titles.get(key) ?? '']] : []))),
  }
}
