/** Whether PostgreSQL is silent: no connection of the pools that share this has answered for as long as a statement waits. */
export class Silence {
  #answeredAt = performance.now()
  #isSilent = false

  get isSilent(): boolean {
    return this.#isSilent
  }

  end(): void {
    this.#answeredAt = performance.now()
    this.#isSilent = false
  }

  /** Begins when no answer has come for so many milliseconds. Returns whether it begins now. */
  begin(milliseconds: number): boolean {
    // A timer of Node may be called up to a millisecond early.
    if (this.#isSilent || Math.ceil(performance.now() - this.#answeredAt) < milliseconds) return false
    this.#isSilent = true
    return true
  }
}
