import { randomInt } from 'node:crypto'
import { type InputOf, LIMITS, type statistics } from '@vrata/contract'
import type { Db, ReadDb, Statement } from '../../db/open.ts'
import { timeAfter, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { MemberActor } from '../../http/actors.ts'
import { findOwnClient } from '../clients/public.ts'
import { deleteSignInDaysBefore } from './sign-in-days-store.ts'
import * as store from './store.ts'

const DAY = 24 * 60 * 60
/**
 * Rows per day among which concurrent writes are spread (decision 0025). Used round-robin: of five concurrent writes that each take a random one, some would wait until
 * the transaction of another is on the disk. Starts at a random one, so that servers differ.
 */
const SLOTS = 8
let last = randomInt(SLOTS)

function nextSlot(): number {
  last = (last + 1) % SLOTS
  return last
}

/** One use of a client by one user. */
export interface ClientUse {
  client_id: string
  developer_id: string
  at: Date
  /** True for a sign-in of the user, false for a refresh of tokens. */
  signed_in: boolean
  /** Whether it is the first of the day with this client, and with any client of the developer account. */
  first: { client: boolean; developer: boolean }
}

/** Adds a use to the statistics, in the transaction in which it happens. */
export async function recordClientUse(
  db: Db,
  { client_id, developer_id, at, signed_in, first }: ClientUse,
): Promise<void> {
  if (!signed_in && !first.client) return
  const row = { day: toDay(at), slot: nextSlot(), sign_ins: Number(signed_in) }
  await Promise.all([
    store.upsertClientDay(db, client_id, { ...row, active_users: Number(first.client) }),
    store.upsertDeveloperDay(db, developer_id, { ...row, active_users: Number(first.developer) }),
  ])
}

/** Returns the UTC day, such as `2026-11-21`. */
export function toDay(at: Date): string {
  return toTime(at).slice(0, 10)
}

/** `recordClientUse` as statements of `GuardedWrites`. */
export function clientUseStatements({ client_id, developer_id, at, signed_in, first }: ClientUse): Statement[] {
  if (!signed_in && !first.client) return []
  const row = { day: toDay(at), slot: nextSlot(), sign_ins: Number(signed_in) }
  return [
    store.clientDayStatement({ client_id, ...row, active_users: Number(first.client) }),
    store.developerDayStatement({ developer_id, ...row, active_users: Number(first.developer) }),
  ]
}

/**
 * Implements `SignInCounts`: returns the sign-ins of the last seven days including today, by client; clients without
 * sign-ins are left out. The caller checks the level `analyst` (api §5).
 */
export async function countWeekSignIns(
  db: ReadDb,
  client_ids: readonly string[],
  now: Date,
): Promise<Map<string, number>> {
  const rows = await store.countSignIns(db, client_ids, firstDay(now, 7))
  return new Map(rows.map(({ client_id, sign_ins }) => [client_id, sign_ins]))
}

/** Returns the numbers of a client of the actor's developer account for each of the last days (UTC), today included; zeros where nothing happened. */
export async function getClientStatistics(
  deps: Pick<AppDeps, 'db' | 'clock'>,
  actor: MemberActor,
  { id, days }: InputOf<typeof statistics.getClientStatistics>,
) {
  const now = deps.clock.now()
  const { client_id } = await findOwnClient(deps, actor, id)
  return fillDays(await store.listClientDays(deps.db, client_id, firstDay(now, days)), days, now)
}

/** Returns the numbers of all clients together, by day as above. */
export async function getDeveloperStatistics(
  deps: Pick<AppDeps, 'db' | 'clock'>,
  actor: MemberActor,
  { days }: InputOf<typeof statistics.getDeveloperStatistics>,
) {
  const now = deps.clock.now()
  return fillDays(await store.listDeveloperDays(deps.db, actor.developer_id, firstDay(now, days)), days, now)
}

/** Deletes days older than the longest period that can be requested. Returns the number of rows. */
export async function pruneDays(deps: Pick<TransactionDeps, 'db' | 'clock'>, most: number): Promise<number> {
  const first = firstDay(deps.clock.now(), LIMITS.statistics_days)
  await deleteSignInDaysBefore(deps.db, first)
  return await store.deleteDaysBefore(deps.db, first, most)
}

/** Returns the first of the last `days` days including today. */
export function firstDay(now: Date, days: number): string {
  return timeAfter(now, -(days - 1) * DAY).slice(0, 10)
}

/** Returns every day of the period, with zeros for days without rows. */
function fillDays(rows: store.DayRow[], days: number, now: Date): store.DayRow[] {
  const byDay = new Map(rows.map((row) => [row.day, row]))
  return Array.from({ length: days }, (_, i) => {
    const day = firstDay(now, days - i)
    return byDay.get(day) ?? { day, sign_ins: 0, active_users: 0 }
  })
}
