import { isOutcomeUnknown } from '../../db/dialect.ts'
import type { ReadDb } from '../../db/open.ts'
import type { AppDeps } from '../../deps.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SignInDayCounts } from '../extension-points.ts'
import { listSignInDays, type SignInDay, upsertSignInDay } from './sign-in-days-store.ts'
import { firstDay, toDay } from './statistics.ts'

/**
 * Milliseconds between two writes. The counts since the last one are lost when the server is killed, or its connection to the
 * database breaks during the commit.
 */
const INTERVAL = 15_000

/**
 * Sign-ins to the installation by day. Counted in the process and added to the database from time to time, so that a
 * sign-in writes nothing more (decision 0105).
 */
export class SignInDays implements SignInDayCounts {
  readonly #clock: Clock
  #counted = new Map<string, SignInDay>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  signedIn(): void {
    this.#count({ sign_ins: 1, failures: 0 })
  }

  /** Counts a rejected sign-in. */
  failed(): void {
    this.#count({ sign_ins: 0, failures: 1 })
  }

  /** The last days, oldest first, with what this process has counted since the last write. */
  async list(db: ReadDb, days: number): Promise<SignInDay[]> {
    const now = this.#clock.now()
    const stored = new Map((await listSignInDays(db, firstDay(now, days))).map((row) => [row.day, row]))
    return Array.from({ length: days }, (_, i) => {
      const day = firstDay(now, days - i)
      const [a, b] = [stored.get(day), this.#counted.get(day)]
      return {
        day,
        sign_ins: (a?.sign_ins ?? 0) + (b?.sign_ins ?? 0),
        failures: (a?.failures ?? 0) + (b?.failures ?? 0),
      }
    })
  }

  /** Adds the counts to the database. They are kept when it has stored nothing, and given up when it may have: they would count twice. */
  async write(app: Pick<AppDeps, 'transaction' | 'log'>): Promise<void> {
    const rows = [...this.#counted.values()]
    if (rows.length === 0) return
    this.#counted = new Map()
    let isCommitting = false
    await app
      .transaction(async ({ db }) => {
        isCommitting = false
        for (const row of rows) await upsertSignInDay(db, row)
        isCommitting = true
      })
      .catch((err: unknown) => {
        if (!isCommitting || !isOutcomeUnknown(err)) for (const row of rows) this.#add(row)
        app.log.warn({ err }, 'sign-ins could not be counted')
      })
  }

  /** Writes periodically; the returned function ends that with a last write. */
  start(app: Pick<AppDeps, 'transaction' | 'log'>): () => Promise<void> {
    const timer = setInterval(() => void this.write(app), INTERVAL).unref()
    return async () => {
      clearInterval(timer)
      await this.write(app)
    }
  }

  #count(counts: Omit<SignInDay, 'day'>): void {
    this.#add({ day: toDay(this.#clock.now()), ...counts })
  }

  #add({ day, sign_ins, failures }: SignInDay): void {
    const row = this.#counted.get(day) ?? { day, sign_ins: 0, failures: 0 }
    this.#counted.set(day, { day, sign_ins: row.sign_ins + sign_ins, failures: row.failures + failures })
  }
}
