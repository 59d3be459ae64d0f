import { LIMITS } from '@vrata/contract'
import { scopeKey } from '@vrata/contract/fields'
import type { AppDeps } from '../../deps.ts'
import { ensurePairwiseKey } from '../../features/clients/public.ts'
import { ISSUER_CHANNEL } from '../keys/issuer-channel.ts'
import { ensureKeys, listKeys, readKeyStates } from '../keys/signing-keys.ts'
import { KnownScopes } from './known-scopes.ts'
import { createProviderSnapshot, fingerprintOf, type ProviderSnapshot } from './provider-snapshot.ts'
import { SCOPES_CHANNEL } from './scopes-channel.ts'

/** Milliseconds between checks for changes whose signal was lost. */
const POLL_INTERVAL = 60_000
/** Milliseconds between checks of the signing keys alone: a revocation by another process takes effect within this time. */
const KEY_POLL_INTERVAL = 1000
/** Unknown scopes of one request that are looked up; no client may request more. */
const LOOK_UP_AT_MOST = LIMITS.requested_scopes

/**
 * The provider snapshot of the current keys, replaced when they change; its scopes change in place (protocol §2.1). Requests
 * in progress finish on the snapshot on which they began.
 */
export class CurrentProvider {
  readonly #deps: AppDeps
  #snapshot: ProviderSnapshot
  #refreshing: Promise<void> | undefined
  #refreshAgain = false
  readonly #stop: (() => void)[]
  /** Reloads that run in the background. */
  readonly #running = new Set<Promise<void>>()

  private constructor(deps: AppDeps, snapshot: ProviderSnapshot) {
    this.#deps = deps
    this.#snapshot = snapshot
    const timer = setInterval(() => {
      this.#inBackground(this.refresh())
      this.#inBackground(snapshot.scopes.reloadIfChanged(deps.db))
    }, POLL_INTERVAL).unref()
    const keyTimer = setInterval(() => this.#inBackground(this.#refreshForKeys()), KEY_POLL_INTERVAL).unref()
    this.#stop = [
      deps.signals.on(ISSUER_CHANNEL, () => this.#inBackground(this.refresh())),
      deps.signals.on(SCOPES_CHANNEL, (keys) => {
        const { scopes } = this.#snapshot
        this.#inBackground(keys === undefined ? scopes.reload(deps.db) : scopes.refresh(deps.db, keys.split(' ')))
      }),
      () => clearInterval(timer),
      () => clearInterval(keyTimer),
    ]
  }

  /** Creates signing keys and the key of pairwise subjects where there are none. */
  static async open(deps: AppDeps): Promise<CurrentProvider> {
    await ensurePairwiseKey(deps)
    const scopes = await KnownScopes.load(deps.db)
    const current = new CurrentProvider(deps, createProviderSnapshot(deps.config, await ensureKeys(deps), scopes))
    // The signal of what has changed since the reads found no listener here.
    await current.refresh()
    await scopes.reloadIfChanged(deps.db)
    return current
  }

  snapshot(): ProviderSnapshot {
    return this.#snapshot
  }

  /**
   * The snapshot after looking up scopes that it does not have, so that a scope may be requested before the signal of its
   * definition arrives. Scopes that do not exist cost one read.
   */
  async withScopes(scopes: readonly string[]): Promise<ProviderSnapshot> {
    const unknown = scopes.filter((scope) => !this.#snapshot.scopes.has(scope) && scopeKey.safeParse(scope).success)
    if (unknown.length > 0) await this.#snapshot.scopes.refresh(this.#deps.db, unknown.slice(0, LOOK_UP_AT_MOST))
    return this.#snapshot
  }

  /** Replaces the snapshot when keys have changed. */
  refresh(): Promise<void> {
    if (this.#refreshing) {
      // The running read may miss a change that was just announced.
      this.#refreshAgain = true
      return this.#refreshing
    }
    this.#refreshing = this.#refreshUntilCurrent().finally(() => {
      this.#refreshing = undefined
    })
    return this.#refreshing
  }

  /** Waits for what runs in the background; the database may be closed afterwards. */
  async close(): Promise<void> {
    for (const stop of this.#stop) stop()
    await Promise.all(this.#running)
  }

  async #refreshUntilCurrent(): Promise<void> {
    do {
      this.#refreshAgain = false
      const keys = await listKeys(this.#deps)
      if (this.#snapshot.fingerprint !== fingerprintOf(keys))
        this.#snapshot = createProviderSnapshot(this.#deps.config, keys, this.#snapshot.scopes)
    } while (this.#refreshAgain)
  }

  /** Signals of SQLite reach no other process, and those of PostgreSQL can be lost. */
  async #refreshForKeys(): Promise<void> {
    // While the database is unavailable, the refresh of the longer interval logs it.
    const states = await readKeyStates(this.#deps.db).catch(() => undefined)
    if (states !== undefined && states !== this.#snapshot.keyStates) await this.refresh()
  }

  #inBackground(refreshed: Promise<void>): void {
    const running = refreshed
      .catch((err: unknown) => this.#deps.log.error({ err }, 'keys or scopes could not be refreshed'))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }
}
