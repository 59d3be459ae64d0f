import { type AnswerOf, type auth, type InputOf, problem } from '@vrata/contract'
import { fromJson, toTime } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Person, Visitor } from '../../edge/actors.ts'
import type { AppCard } from '../../ports/app-cards.ts'
import { hashToken } from '../../ports/ids.ts'
import { placeIn } from '../../ports/places.ts'
import { listAppSignIns, record } from '../activity/door.ts'
import { endSessions } from './session.ts'
import * as store from './store.ts'

type Sessions = AnswerOf<typeof auth.listSessions>

/** api.md §2: GET /auth/sessions, this one first, then the latest used. */
export async function listSessions(deps: ReadDeps, actor: Person): Promise<Sessions> {
  const rows = await store.listOfUser(deps.db, actor.user_id, toTime(deps.clock.now()))
  const appsOf = await appsBySession(
    deps,
    rows.map(({ id }) => id),
  )
  return rows
    .map((row) => ({
      ...row,
      app: appsOf(row.id)[0]?.name ?? null,
      apps: appsOf(row.id),
      unknown: row.unknown_since !== null,
      last_seen: row.last_seen_at,
      location: placeIn(actor.locale, row.location),
      current: row.id === actor.session_id,
      methods: fromJson<Sessions[number]['methods']>(row.methods),
    }))
    .sort((a, b) => Number(b.current) - Number(a.current))
}

/** Apps that were signed in to from sessions, the latest first; those that are gone are left out. */
async function appsBySession(deps: ReadDeps, session_ids: string[]): Promise<(id: string) => AppCard[]> {
  const signIns = await listAppSignIns(deps.db, session_ids)
  const ids = [...new Set(signIns.map(({ client_id }) => client_id))]
  const cards = new Map(ids.length ? (await deps.appCards.of(deps.db, ids)).map((card) => [card.client_id, card]) : [])
  const bySession = Map.groupBy(signIns, ({ session_id }) => session_id)
  return (id) => (bySession.get(id) ?? []).flatMap(({ client_id }) => cards.get(client_id) ?? [])
}

/** A person says that they know another device of theirs. None can vouch for itself. */
export async function knowSession(deps: Deps, actor: Person, { id }: InputOf<typeof auth.knowSession>) {
  if (id === actor.session_id || !(await store.markKnown(deps.db, actor.user_id, id))) throw problem('not_found')
  return {}
}

/** api.md §2: POST /auth/logout. Whoever has no session is signed out already. */
export async function logout(deps: Deps, visitor: Visitor) {
  const session = await sessionOf(deps, visitor)
  if (session) await endSessions(deps, session.user_id, { only: [session.id] })
  forget(visitor)
  return {}
}

/** By either cookie, and by one that was rotated, however long ago: who logs out must not stay in. */
async function sessionOf(deps: Deps, visitor: Visitor): Promise<{ id: string; user_id: string } | undefined> {
  const now = toTime(deps.clock.now())
  const token = visitor.cookies.read('session')
  const access = visitor.cookies.read('access')
  return (
    (token ? await store.findByToken(deps.db, hashToken(token), now) : undefined) ??
    (access ? await store.findByAccess(deps.db, hashToken(access), now) : undefined)
  )
}

/** The device cookie stays: it opens nothing, and protects the next sign-in. */
export function forget(visitor: Visitor): void {
  visitor.cookies.clear('session')
  visitor.cookies.clear('access')
}

/** api.md §2: PUT /auth/logout/{id}; somebody else's session is not found. */
export async function logoutSession(deps: Deps, actor: Person, { id }: InputOf<typeof auth.logoutSession>) {
  const ended = await endSessions(deps, actor.user_id, { only: [id] })
  if (ended.length === 0) throw problem('not_found')
  const { user_id, session_id } = actor
  if (id === session_id) forget(actor)
  else await record(deps, { type: 'LOGGED_OUT_DEVICE', user_id, from: actor, session_id })
  return {}
}

/** api.md §2: PUT /auth/logout-all. */
export async function logoutAll(deps: Deps, actor: Person, { include_current }: InputOf<typeof auth.logoutAll>) {
  await endSessions(deps, actor.user_id, include_current ? 'all' : { except: actor.session_id })
  if (include_current) forget(actor)
  return {}
}
