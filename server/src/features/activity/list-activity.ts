import type { AnswerOf, activity, InputOf } from '@vrata/contract'
import { localizedPlace } from '../../adapters/geoip/geoip.ts'
import type { ActivitiesTable } from '../../db/schema.ts'
import { fromJson, secondsSince } from '../../db/values.ts'
import type { AppDeps } from '../../deps.ts'
import type { UserActor } from '../../http/actors.ts'
import type { ClientCard } from '../extension-points.ts'
import { describeScopes } from '../scope-catalog/public.ts'
import { listActivities } from './store.ts'

/** Activity of the account, newest first (api §3.6). A row of a deleted client has no `app`. */
export async function listActivity(
  deps: Pick<AppDeps, 'db' | 'clock' | 'clientCards' | 'liveSessions'>,
  actor: Pick<UserActor, 'user_id' | 'session_id' | 'locale'>,
  { cursor, limit, ...filter }: InputOf<typeof activity.listActivity>,
): Promise<AnswerOf<typeof activity.listActivity>> {
  // One additional row shows whether there is a next page.
  const rows = await listActivities(deps.db, actor.user_id, { ...filter, before: cursor, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const now = deps.clock.now()
  const [apps, titles, live] = await Promise.all([
    appsOf(deps, page),
    titlesOf(deps, actor, page),
    deps.liveSessions.find(deps.db, actor.user_id, now),
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
      age: secondsSince(row.created_at, now),
      location: localizedPlace(actor.locale, row.location),
      session: sessionOf(row.session_id),
    })),
    next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  }
}

async function appsOf(
  deps: Pick<AppDeps, 'db' | 'clientCards'>,
  rows: ActivitiesTable[],
): Promise<Map<string, ClientCard>> {
  const ids = new Set(rows.flatMap((row) => [row.client_id, row.acting_client_id]).filter((id) => id !== null))
  if (ids.size === 0) return new Map()
  const cards = await deps.clientCards.find(deps.db, [...ids])
  return new Map(cards.map((card) => [card.client_id, card]))
}

/** Current titles of all scopes in the rows. */
async function titlesOf(
  deps: Pick<AppDeps, 'db'>,
  actor: Pick<UserActor, 'locale'>,
  rows: ActivitiesTable[],
): Promise<Map<string, string>> {
  const keys = new Set(rows.flatMap(({ scopes }) => (scopes ? fromJson<string[]>(scopes) : [])))
  const described = await describeScopes(deps.db, [...keys], actor.locale)
  return new Map(described.map(({ key, title }) => [key, title]))
}

function details(row: ActivitiesTable, apps: Map<string, ClientCard>, titles: Map<string, string>) {
  const scopes = row.scopes ? fromJson<string[]>(row.scopes) : undefined
  return {
    type: row.type as activity.ActivityType,
    app: row.client_id ? apps.get(row.client_id) : undefined,
    acting_app: row.acting_client_id ? apps.get(row.acting_client_id) : undefined,
    scopes,
    binding_message: row.binding_message ?? undefined,
    scope_titles:
      scopes && Object.fromEntries(scopes.flatMap((key) => (titles.has(key) ? [[key, titles.get(key) ?? '']] : []))),
  }
}
