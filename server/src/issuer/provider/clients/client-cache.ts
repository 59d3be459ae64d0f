import { clientId } from '@vrata/contract/fields'
import { LRUCache } from 'lru-cache'
import type { ReadDb, Store } from '../../../db/open.ts'
import { findIssuerClient, type IssuerClient } from '../../../features/clients/public.ts'

/** The signal that a client has changed; its message is the client_id, or none for all. */
const CLIENT_CHANNEL = 'client'
const MAX_ENTRIES = 1000

/** `read_at`: `performance.now()`; how long it holds depends on whether signals arrive now. */
type Entry = { client: IssuerClient; read_at: number }

/** Clients, which are read with nearly every request and change seldom, until the signal of a change. */
export class ClientCache {
  readonly #db: ReadDb
  readonly #signals: Store['signals']
  readonly #entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES })
  /** Counts signals, so that a client that was read before one is not stored after it. */
  #changes = 0
  readonly close: () => void

  constructor(db: ReadDb, signals: Store['signals']) {
    this.#db = db
    this.#signals = signals
    this.close = signals.on(CLIENT_CHANNEL, (client_id) => {
      this.#changes += 1
      if (client_id === undefined) this.#entries.clear()
      else this.#entries.delete(client_id)
    })
  }

  async find(client_id: string): Promise<IssuerClient | undefined> {
    const now = performance.now()
    const entry = this.#entries.get(client_id)
    if (entry && now - entry.read_at < this.#signals.maxAge) return entry.client
    this.#entries.delete(client_id)
    // PostgreSQL fails at a NUL in a parameter.
    if (!clientId.safeParse(client_id).success) return undefined
    const before = this.#changes
    const client = await findIssuerClient(this.#db, client_id)
    if (client && before === this.#changes) this.#entries.set(client_id, { client, read_at: now })
    return client
  }
}
