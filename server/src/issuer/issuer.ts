import { LIMITS } from '@vrata/contract'
import { scopeKey } from '@vrata/contract/fields'
import type { OpenDeps } from '../deps.ts'
import { knownScopes, scopeOwners } from '../slices/scopes/door.ts'
import { ISSUER_CHANNEL } from './channel.ts'
import { ensureKeys, listKeys } from './keys.ts'
import { fingerprintOf, makeSnapshot, type Snapshot } from './snapshot.ts'

/** How often to look whether another process changed keys or scopes without our hearing of it, in milliseconds. */
const LOOK_EVERY = 60_000
/** Words of a request that are looked up at most; no app may ask for more scopes. */
const LOOKED_UP = LIMITS.asked_scopes

/** The engine, always as keys and scopes are now. Requests under way finish on the snapshot on which they began. */
export class Issuer {
  readonly #deps: OpenDeps
  #current: Snapshot
  #looking: Promise<void> | undefined
  #again = false
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

  /**
   * The same; a scope that was defined a moment ago counts, even if no word of it has come yet. Whoever invents scopes
   * costs one read by key, not a new engine.
   */
  async knowing(scopes: readonly string[]): Promise<Snapshot> {
    const unknown = scopes.filter((scope) => !this.#current.scopes.has(scope) && scopeKey.safeParse(scope).success)
    if (unknown.length > 0) {
      const made = await knownScopes(this.#deps.db, unknown.slice(0, LOOKED_UP))
      if (made.size > 0) await this.look()
    }
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
      this.#current = await takeSnapshot(this.#deps, this.#current)
    } while (this.#again)
  }

  #lookLater(): void {
    this.look().catch((err: unknown) => this.#deps.log.error({ err }, 'the engine could not be renewed'))
  }
}

async function takeSnapshot(deps: OpenDeps, former?: Snapshot): Promise<Snapshot> {
  const [keys, scopes] = await Promise.all([listKeys(deps.db, deps.sealing), scopeOwners(deps.db)])
  if (former && former.fingerprint === fingerprintOf(keys, scopes)) return former
  return makeSnapshot(deps.config, keys, scopes)
}
