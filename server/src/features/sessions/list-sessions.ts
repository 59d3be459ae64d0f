import { type AnswerOf, type InputOf, LIFETIMES, problem, type sessions } from '@vrata/contract'
import { localizedPlace } from '../../adapters/geoip/geoip.ts'
import { fromJson, secondsSince, timeAfter, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { UserActor } from '../../http/actors.ts'
import type { ClientCard } from '../extension-points.ts'
import { findDeviceNames, updateRecognized } from './devices/device-store.ts'
import { listSessionClients } from './session-client-store.ts'
import * as store from './store.ts'

type Sessions = AnswerOf<typeof sessions.listSessions>

/** The current session first, then by last use (api §2.4). */
export async function listSessions(
  deps: Pick<AppDeps, 'db' | 'clock' | 'clientCards'>,
  actor: Pick<UserActor, 'user_id' | 'session_id' | 'locale'>,
): Promise<Sessions> {
  const now = deps.clock.now()
  const rows = await store.listLiveOfUser(deps.db, actor.user_id, toTime(now))
  const names = await findDeviceNames(deps.db, actor.user_id)
  const appsOf = await appsBySession(
    deps,
    rows.map(({ id }) => id),
  )
  return rows
    .map((row) => ({
      ...row,
      app: appsOf(row.id)[0]?.name ?? null,
      apps: appsOf(row.id),
      device_name: names.get(row.device_id ?? '') ?? null,
      unknown: row.unknown_since !== null,
      last_seen: row.last_seen_at,
      age: secondsSince(row.created_at, now),
      location: localizedPlace(actor.locale, row.location),
      current: row.id === actor.session_id,
      methods: fromJson<Sessions[number]['methods']>(row.methods),
    }))
    .sort((a, b) => Number(b.current) - Number(a.current))
}

/** Existing clients that each session has signed in to, the latest first. */
async function appsBySession(
  deps: Pick<AppDeps, 'db' | 'clientCards'>,
  session_ids: string[],
): Promise<(id: string) => ClientCard[]> {
  const signIns = await listSessionClients(deps.db, session_ids)
  const ids = [...new Set(signIns.map(({ client_id }) => client_id))]
  const cards = new Map(
    ids.length ? (await deps.clientCards.find(deps.db, ids)).map((card) => [card.client_id, card]) : [],
  )
  const bySession = Map.groupBy(signIns, ({ session_id }) => session_id)
  return (id) => (bySession.get(id) ?? []).flatMap(({ client_id }) => cards.get(client_id) ?? [])
}

/**
 * Marks another session of the user, and its browser, as recognized. The current session cannot recognize itself. In a browser that is itself new
 * it cannot recognize others for a week: an attacker with the password could confirm one session from another (decision 0016).
 */
export async function recognizeSession(
  deps: TransactionDeps,
  actor: UserActor,
  { id }: InputOf<typeof sessions.recognizeSession>,
) {
  if (id === actor.session_id) throw problem('not_found')
  const now = deps.clock.now()
  const own = await store.findById(deps.db, actor.session_id, toTime(now))
  if (!own) throw problem('unauthenticated')
  if (own.unknown_since !== null && own.unknown_since > timeAfter(now, -LIFETIMES.new_browser))
    throw problem('unrecognized_device')
  const recognized = await store.updateKnown(deps.db, actor.user_id, id)
  if (!recognized) throw problem('not_found')
  if (recognized.device_id !== null) await updateRecognized(deps.db, actor.user_id, recognized.device_id)
  return {}
}
