/**
 * How long the server waits for its database, in milliseconds (decision 0011). A request that has to wait longer than `answer` is
 * answered with 503 and Retry-After; the same holds for each request within five seconds when the database is paused.
 */
export const TIMEOUTS = {
  /** From opening a connection to its first use. */
  connect: 2_000,
  /** For the answer to one statement, with the wait for a free connection, or for the write lock of SQLite. */
  answer: 4_000,
  /** The same, after PostgreSQL has not answered; an answer ends this. Not added to a request that has waited before. */
  answer_again: 700,
  /** Kept by PostgreSQL: one statement. Shorter than `answer`, so that a server which answers at all answers first. */
  statement: 3_500,
  /** Kept by PostgreSQL: one lock. */
  lock: 3_000,
  /** Kept by PostgreSQL: a transaction without a statement. */
  idle_in_transaction: 15_000,
  /** The whole work of one transaction, unless it names a time of its own. */
  transaction: 10_000,
  /** Between questions whether the connection that receives signals still answers. */
  beat: 5_000,
  /**
   * Without signals of other processes, after which the log has an error for the operator. Where signals are rows, also without an answer, after which some may have
   * been missed; shorter than the time for which rows are found.
   */
  signals: 10_000,
  /** Between questions how far the replica has come. */
  replica: 2_000,
  /** For statements that are under way when the pool is closed. */
  close: 5_000,
} as const

export type Timeouts = { [Name in keyof typeof TIMEOUTS]: number }
