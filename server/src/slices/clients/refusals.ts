import type { InputOf, refusals } from '@vrata/contract'
import { origin, redirectUri } from '@vrata/contract/fields'
import { timeAfter, toTime } from '../../db/values.ts'
import type { Deps, OpenDeps, ReadDeps } from '../../deps.ts'
import type { Member } from '../../edge/actors.ts'
import { ownClient, ownClientToChange } from './own-client.ts'
import * as store from './refusals-store.ts'
import type { ClientRow } from './store.ts'

/** Seconds for which a refusal is told of. */
const KEPT = 7 * 24 * 60 * 60
/** Different ones of a kind that are kept for an app: whoever makes them up pushes out no more than their like. */
const OF_A_KIND = 10
/** Writes a minute, for one app and in all; beyond that, refusals are only counted, in memory (decision 0114). */
const WRITES = { client: 30, all: 600 }
const MINUTE = 60_000
const DETAIL_MAX = 300

/** A refused request of an app. Whoever makes one out of a request keeps secrets and personal data out of `detail`. */
export interface Refused {
  client_id: string
  reason: refusals.Reason
  detail?: string
}

/** Writes refusals down, so slowly that a flood of them stays a trickle in the database. One a process. */
export class RefusalBook {
  readonly #deps: OpenDeps
  /** Refusals that were not written yet, by what they were. */
  readonly #waiting = new Map<string, number>()
  /** Writes within this minute, by app. */
  readonly #written = new Map<string, number>()
  #all = 0
  #until = 0

  constructor(deps: OpenDeps) {
    this.#deps = deps
  }

  /** Never fails: a developer is told less, and nobody else notices. */
  async note({ client_id, reason, detail = '' }: Refused): Promise<void> {
    const key = `${client_id} ${reason} ${detail}`
    const times = 1 + (this.#waiting.get(key) ?? 0)
    if (!this.#mayWrite(client_id)) {
      if (this.#waiting.size < WRITES.all || this.#waiting.has(key)) this.#waiting.set(key, times)
      return
    }
    this.#waiting.delete(key)
    const now = toTime(this.#deps.clock.now())
    const row = { client_id, reason, detail: detail.slice(0, DETAIL_MAX), times, first_at: now, last_at: now }
    await this.#deps
      .transaction(({ db }) => store.upsertRefusal(db, row, OF_A_KIND))
      .catch((err: unknown) => this.#deps.log.warn({ err, client_id }, 'a refusal could not be written down'))
  }

  #mayWrite(client_id: string): boolean {
    const now = performance.now()
    if (now > this.#until) {
      this.#until = now + MINUTE
      this.#written.clear()
      this.#all = 0
    }
    const written = this.#written.get(client_id) ?? 0
    if (written >= WRITES.client || this.#all >= WRITES.all) return false
    this.#written.set(client_id, written + 1)
    this.#all += 1
    return true
  }
}

/** §7 The app's last refused requests. */
export async function refusalsOf(deps: ReadDeps, actor: Member, { id }: InputOf<typeof refusals.listRefusals>) {
  const client = await ownClient(deps, actor, id)
  const rows = await store.listRefusalRows(deps.db, client.client_id, timeAfter(deps.clock.now(), -KEPT))
  return rows.map(({ client_id: _, ...row }) => {
    const reason = row.reason as refusals.Reason
    return { ...row, reason, addable: isAddable(client, reason, row.detail) }
  })
}

export async function forgetRefusals(deps: Deps, actor: Member, { id }: InputOf<typeof refusals.forgetRefusals>) {
  const client = await ownClientToChange(deps, actor, id)
  await store.deleteRefusals(deps.db, client.client_id)
  return {}
}

/** What was missing is there now. */
export async function forgetMended(
  { db }: Pick<Deps, 'db'>,
  client_id: string,
  reason: 'redirect_uri' | 'origin',
  detail: string,
): Promise<void> {
  await store.deleteRefusals(db, client_id, { reason, detail })
}

export async function pruneRefusals(deps: Pick<Deps, 'db' | 'clock'>, most: number): Promise<number> {
  return await store.deleteRefusalsBefore(deps.db, timeAfter(deps.clock.now(), -KEPT), most)
}

function isAddable({ type }: ClientRow, reason: refusals.Reason, detail: string): boolean {
  if (reason === 'origin') return origin.safeParse(detail).data === detail
  if (reason !== 'redirect_uri' || redirectUri.safeParse(detail).data !== detail) return false
  return type === 'native' || /^https?:/.test(detail)
}
