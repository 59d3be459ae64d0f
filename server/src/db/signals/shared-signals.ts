import { randomUUID } from 'node:crypto'
import type { Db } from '../compiled-queries/handle.ts'
import { currentTransaction } from '../transactions/transactions.ts'
import { LocalSignals } from './signals.ts'
import { insertSignal } from './signals-store.ts'

/** Signals of several processes. The sending process calls its own listeners directly after the commit. */
export abstract class SharedSignals extends LocalSignals {
  override readonly maxAge = 60_000
  protected readonly self = randomUUID()
  protected readonly db: Db

  constructor(db: Db, report: (error: unknown) => void) {
    super(report)
    this.db = db
  }

  abstract close(): Promise<void>

  override async announce(channel: string, payload: string): Promise<void> {
    await insertSignal(currentTransaction()?.db ?? this.db, { from: this.self, channel, payload })
    await super.announce(channel, payload)
  }
}
