import { id } from '@vrata/contract/fields'
import type { ReadDb, Store } from '../db/open.ts'
import { clientForIssuer, type IssuerClient } from '../slices/clients/door.ts'

/** The signal with which an app's id is announced when anything about it has changed. */
const CLIENT_CHANNEL = 'client'
const KEPT_AT_MOST = 1000
/** A change by a process from which no word reaches us is seen after this time, in milliseconds. */
const KEPT_FOR = 60_000

type Kept = { client: IssuerClient; until: number }

/** Apps are read with nearly every request and seldom change: remembered until word of a change comes. */
export class KnownClients {
  readonly #db: ReadDb
  readonly #kept = new Map<string, Kept>()
  /** Counts words of change, so that what was read before one is not kept after it. */
  #changes = 0
  readonly close: () => void

  constructor(db: ReadDb, signals: Store['signals']) {
    this.#db = db
    this.close = signals.on(CLIENT_CHANNEL, (client_id) => {
      this.#changes += 1
      if (client_id === undefined) this.#kept.clear()
      else this.#kept.delete(client_id)
    })
  }

  async find(client_id: string): Promise<IssuerClient | undefined> {
    // Nobody's, and PostgreSQL fails when asked for a NUL.
    if (!id.safeParse(client_id).success) return undefined
    const kept = this.#kept.get(client_id)
    if (kept && kept.until > performance.now()) return kept.client
    const before = this.#changes
    const client = await clientForIssuer(this.#db, client_id)
    if (client && before === this.#changes) this.#keep(client)
    return client
  }

  #keep(client: IssuerClient): void {
    this.#kept.delete(client.client_id)
    this.#kept.set(client.client_id, { client, until: performance.now() + KEPT_FOR })
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > KEPT_AT_MOST && oldest !== undefined) this.#kept.delete(oldest)
  }
}
