/** PostgreSQL has not answered in time. Whether it has done what was asked is not known. */
export class NoAnswer extends Error {
  override name = 'NoAnswer'
  readonly code = 'NO_ANSWER'
  constructor(milliseconds: number) {
    super(`The database has not answered for ${milliseconds} ms`)
  }
}

/** Watches one statement, or the statements of one transaction, for an answer that does not come. */
export class AnswerTimer {
  /** Rejects with `NoAnswer`, or with the error of `fail`; never resolves. */
  readonly overdue: Promise<never>
  readonly #reject: (error: unknown) => void
  readonly #milliseconds: number
  #waiting = 0
  #answers = 0
  #timer: NodeJS.Timeout | undefined
  #failed = false

  constructor(milliseconds: number) {
    const { promise, reject } = Promise.withResolvers<never>()
    this.overdue = promise
    this.#reject = reject
    this.#milliseconds = milliseconds
  }

  get hasFailed(): boolean {
    return this.#failed
  }

  /** Starts waiting for an answer. Each answer restarts the time for the next one. */
  start(): void {
    this.#waiting += 1
    if (this.#waiting === 1) this.#timer = setTimeout(() => this.#expire(), this.#milliseconds)
  }

  stop(): void {
    this.#waiting -= 1
    this.#answers += 1
    if (this.#waiting === 0) clearTimeout(this.#timer)
    else this.#timer?.refresh()
  }

  /** Waits for an answer; settles with it even when it is late. */
  async of<T>(answer: Promise<T>): Promise<T> {
    this.start()
    try {
      return await answer
    } finally {
      this.stop()
    }
  }

  fail(error: unknown): void {
    clearTimeout(this.#timer)
    this.#failed = true
    this.#reject(error)
  }

  #expire(): void {
    // After a pause of this process itself, the timer is called before the answer is read that has come meanwhile. The next
    // statement may be sent in the same turn: it has a time of its own.
    const answers = this.#answers
    setImmediate(() => {
      if (this.#waiting > 0 && this.#answers === answers) this.fail(new NoAnswer(this.#milliseconds))
    })
  }
}
