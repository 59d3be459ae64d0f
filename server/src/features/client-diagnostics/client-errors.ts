import type { clientDiagnostics, InputOf } from '@vrata/contract'
import { origin, redirectUri } from '@vrata/contract/fields'
import { timeAfter, toTime } from '../../db/values.ts'
import type { AppDeps, TransactionDeps } from '../../deps.ts'
import type { Events } from '../../events.ts'
import type { MemberActor } from '../../http/actors.ts'
import type { ClientRow } from '../clients/public.ts'
import { findOwnClient, findOwnClientForUpdate } from '../clients/public.ts'
import * as store from './store.ts'

/** Seconds for which an error is listed. */
const RETENTION = 7 * 24 * 60 * 60
/** Errors kept per client and reason, so that forged requests displace only errors of the same reason. */
const MAX_PER_REASON = 10
/** Writes per minute, per client and in total. Further errors are only counted, in memory (decision 0040). */
const WRITES = { client: 30, all: 600 }
const MINUTE = 60_000
const DETAIL_MAX = 300

/** A rejected request of a client. `detail` must contain no secrets and no personal data. */
export interface ClientError {
  client_id: string
  reason: clientDiagnostics.ClientErrorReason
  detail?: string
}

/** Records client errors with limited writes. One per process. */
export class ClientErrorLog {
  readonly #deps: AppDeps
  /** Counts of errors that are not written yet, by client, reason and detail. */
  readonly #unwritten = new Map<string, number>()
  /** Writes within the current minute, by client. */
  readonly #written = new Map<string, number>()
  #all = 0
  #until = 0

  constructor(deps: AppDeps) {
    this.#deps = deps
  }

  /** Records an error. Never throws: a failed write is logged. */
  async record({ client_id, reason, detail = '' }: ClientError): Promise<void> {
    const key = `${client_id} ${reason} ${detail}`
    const times = 1 + (this.#unwritten.get(key) ?? 0)
    if (!this.#mayWrite(client_id)) {
      if (this.#unwritten.size < WRITES.all || this.#unwritten.has(key)) this.#unwritten.set(key, times)
      return
    }
    this.#unwritten.delete(key)
    const now = toTime(this.#deps.clock.now())
    const row = { client_id, reason, detail: detail.slice(0, DETAIL_MAX), times, first_at: now, last_at: now }
    await this.#deps
      .transaction(({ db }) => store.upsertClientError(db, row, MAX_PER_REASON))
      .catch((err: unknown) => this.#deps.log.warn({ err, client_id }, 'recording a client error'))
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

/** Lists the errors of a client within the last seven days, newest first (api §6). */
export async function listClientErrors(
  deps: Pick<AppDeps, 'db' | 'clock'>,
  actor: MemberActor,
  { id }: InputOf<typeof clientDiagnostics.listClientErrors>,
) {
  const client = await findOwnClient(deps, actor, id)
  const rows = await store.listClientErrors(deps.db, client.client_id, timeAfter(deps.clock.now(), -RETENTION))
  return rows.map(({ client_id: _, ...row }) => {
    const reason = row.reason as clientDiagnostics.ClientErrorReason
    return { ...row, reason, addable: isAddable(client, reason, row.detail) }
  })
}

/** Deletes the rejected requests of a client of the actor's developer account. */
export async function deleteClientErrors(
  deps: TransactionDeps,
  actor: MemberActor,
  { id }: InputOf<typeof clientDiagnostics.deleteClientErrors>,
) {
  const client = await findOwnClientForUpdate(deps, actor, id)
  await store.deleteClientErrors(deps.db, client.client_id)
  return {}
}

/** Listens to `redirect_uri_added`: the address is registered now, so its errors are out of date. */
export async function onRedirectUriAdded(
  { db }: TransactionDeps,
  { client_id, redirect_uri }: Events['redirect_uri_added'],
): Promise<void> {
  await store.deleteClientErrors(db, client_id, { reason: 'redirect_uri', detail: redirect_uri.slice(0, DETAIL_MAX) })
}

/** Listens to `origin_added`: the origin is registered now, so its errors are out of date. */
export async function onOriginAdded(
  { db }: TransactionDeps,
  { client_id, origin }: Events['origin_added'],
): Promise<void> {
  await store.deleteClientErrors(db, client_id, { reason: 'origin', detail: origin })
}

/** Deletes up to `most` old rejected requests, and returns how many. */
export async function pruneClientErrors(deps: Pick<TransactionDeps, 'db' | 'clock'>, most: number): Promise<number> {
  return await store.deleteClientErrorsBefore(deps.db, timeAfter(deps.clock.now(), -RETENTION), most)
}

/** Returns whether the detail is an address that can be registered as it is. A longer one may have been cut off. */
function isAddable({ type }: ClientRow, reason: clientDiagnostics.ClientErrorReason, detail: string): boolean {
  if (detail.length >= DETAIL_MAX) return false
  if (reason === 'origin') return origin.safeParse(detail).data === detail
  if (reason !== 'redirect_uri' || redirectUri.safeParse(detail).data !== detail) return false
  return type === 'native' || /^https?:/.test(detail)
}
