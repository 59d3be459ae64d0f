/** Maximum number of keys in a window; with more, the count restarts. A key takes some 70 bytes, so memory has a bound of 7 MB. */
const MOST_KEYS = 100_000

/**
 * Counts events by key in windows of so many seconds (fixed window counter). A window begins with the first event after the last one and is the
 * same for all keys, so a key is one number, and one timer ends all of them (decision 0130).
 */
export class FixedWindow {
  readonly #milliseconds: number
  readonly #mostKeys: number
  readonly #counts = new Map<string, number>()
  #ends = 0

  constructor(seconds: number, mostKeys = MOST_KEYS) {
    this.#milliseconds = seconds * 1000
    this.#mostKeys = mostKeys
  }

  /** Counts one event; returns how many this key has in the window. */
  count(key: string): number {
    // Without keys, no window is open.
    if (this.#counts.size === 0) this.#open()
    const counted = (this.#counts.get(key) ?? 0) + 1
    if (counted === 1 && this.#counts.size >= this.#mostKeys) this.#counts.clear()
    this.#counts.set(key, counted)
    return counted
  }

  /** Whole seconds until the window ends, at least one. */
  get secondsLeft(): number {
    return Math.max(1, Math.ceil((this.#ends - performance.now()) / 1000))
  }

  #open(): void {
    this.#ends = performance.now() + this.#milliseconds
    setTimeout(() => this.#counts.clear(), this.#milliseconds).unref()
  }
}
