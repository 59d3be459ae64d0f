import { type InputOf, LIMITS, type statistics } from '@vrata/contract'
import type { Db, ReadDb } from '../../db/open.ts'
import { timeAfter, toTime } from '../../db/values.ts'
import type { Deps, ReadDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { ownClient } from './own-client.ts'
import * as store from './statistics-store.ts'

const DAY = 24 * 60 * 60
/** Rows among which the sign-ins of one moment are spread (decision 0112). */
const SLOTS = 8

/** One use of an app by one person. */
export interface Use {
  client_id: string
  developer_id: string
  at: Date
  /** The person signed in, as opposed to the app renewing its tokens. */
  signed_in: boolean
  /** The first of the day: with this app, and with any of the organisation. */
  first: { client: boolean; developer: boolean }
}

/** Counts a use, in the transaction in which it happens. */
export async function countUse(db: Db, { client_id, developer_id, at, signed_in, first }: Use): Promise<void> {
  if (!signed_in && !first.client) return
  const row = { day: dayOf(at), slot: Math.floor(Math.random() * SLOTS), sign_ins: Number(signed_in) }
  await Promise.all([
    store.addToClientDay(db, client_id, { ...row, active_users: Number(first.client) }),
    store.addToDeveloperDay(db, developer_id, { ...row, active_users: Number(first.developer) }),
  ])
}

/** `2026-11-21`: the day of UTC. */
export function dayOf(at: Date): string {
  return toTime(at).slice(0, 10)
}

/**
 * Sign-ins of the last seven days, today among them, by app; an app without any has none here. Figures are for analysts
 * and above (api.md §5): whoever asks for somebody below that leaves them out.
 */
export async function weekSignIns(db: ReadDb, client_ids: readonly string[], now: Date): Promise<Map<string, number>> {
  const rows = await store.countSignIns(db, client_ids, firstDay(now, 7))
  return new Map(rows.map(({ client_id, sign_ins }) => [client_id, sign_ins]))
}

export async function clientStatistics(
  deps: ReadDeps,
  actor: Member,
  { id, days }: InputOf<typeof statistics.clientStatistics>,
) {
  const now = deps.clock.now()
  const { client_id } = await ownClient(deps, actor, id)
  return everyDay(await store.listClientDays(deps.db, client_id, firstDay(now, days)), days, now)
}

export async function developerStatistics(
  deps: ReadDeps,
  actor: Member,
  { days }: InputOf<typeof statistics.developerStatistics>,
) {
  const now = deps.clock.now()
  return everyDay(await store.listDeveloperDays(deps.db, actor.developer_id, firstDay(now, days)), days, now)
}

/** Forgets days that nobody can ask for any more; answers how many rows went. */
export async function pruneDays(deps: Pick<Deps, 'db' | 'clock'>, most: number): Promise<number> {
  return await store.deleteDaysBefore(deps.db, firstDay(deps.clock.now(), LIMITS.statistics_days), most)
}

/** The first of the last `days` days, today being the last. */
function firstDay(now: Date, days: number): string {
  return timeAfter(now, -(days - 1) * DAY).slice(0, 10)
}

function everyDay(rows: store.DayRow[], days: number, now: Date): store.DayRow[] {
  const counted = new Map(rows.map((row) => [row.day, row]))
  return Array.from({ length: days }, (_, i) => {
    const day = firstDay(now, days - i)
    return counted.get(day) ?? { day, sign_ins: 0, active_users: 0 }
  })
}
