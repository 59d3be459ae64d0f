import type { OpenDeps } from '../deps.ts'
import { listScopeKeys, OWN_SCOPES } from '../slices/scopes/door.ts'
import { ISSUER_CHANNEL } from './channel.ts'
import { ensureKeys, listKeys } from './keys.ts'
import { fingerprintOf, makeSnapshot, type Snapshot } from './snapshot.ts'

/** How often to look whether another process changed keys or scopes without our hearing of it, in milliseconds. */
const LOOK_EVERY = 60_000
/** Requests that name unknown scopes make us look again, but not more often than this (milliseconds). */
const UNKNOWN_SCOPE_PATIENCE = 1000

/** The engine, always as keys and scopes are now. Requests under way finish on the snapshot on which they began. */
export class Issuer {
  readonly #deps: OpenDeps
  #current: Snapshot
  #looking: Promise<void> | undefined
  #again = false
  #lookedAt = performance.now()
  readonly #stop: (() => void)[]

  private constructor(deps: OpenDeps, first: Snapshot) {
    this.#deps = deps
    this.#current = first
    const timer = setInterval(() => this.#lookLater(), LOOK_EVERY).unref()
    this.#stop = [deps.signals.on(ISSUER_CHANNEL, () => this.#lookLater()), () => clearInterval(timer)]
  }

  /** Makes the first keys where there are none. */
  static async open(deps: OpenDeps): Promise<Issuer> {
    await ensureKeys(deps)
    return new Issuer(deps, await takeSnapshot(deps))
  }

  current(): Snapshot {
    return this.#current
  }

  /** The same; looks once more before a request fails because of a scope that has only just been made. */
  async knowing(scopes: readonly string[]): Promise<Snapshot> {
    const unknown = scopes.some((scope) => !this.#current.scopes.has(scope))
    if (unknown && performance.now() - this.#lookedAt > UNKNOWN_SCOPE_PATIENCE) await this.look()
    return this.#current
  }

  /** Replaces the snapshot when keys or scopes have changed. */
  look(): Promise<void> {
    if (this.#looking) {
      // What is being read now may miss what was just announced.
      this.#again = true
      return this.#looking
    }
    this.#looking = this.#lookUntilStill().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  close(): void {
    for (const stop of this.#stop) stop()
  }

  async #lookUntilStill(): Promise<void> {
    do {
      this.#again = false
      this.#lookedAt = performance.now()
      this.#current = await takeSnapshot(this.#deps, this.#current)
    } while (this.#again)
  }

  #lookLater(): void {
    this.look().catch((err: unknown) => this.#deps.log.error({ err }, 'the engine could not be renewed'))
  }
}

async function takeSnapshot(deps: OpenDeps, former?: Snapshot): Promise<Snapshot> {
  const [keys, defined] = await Promise.all([listKeys(deps.db, deps.sealing), listScopeKeys(deps.db)])
  const scopes = new Set([...OWN_SCOPES, ...defined])
  if (former && former.fingerprint === fingerprintOf(keys, scopes)) return former
  return makeSnapshot(deps.config, keys, scopes)
}
