import type { Guard, Statement } from '../../db/open.ts'
import type { AppDeps, EventAfterCommit, TransactionDeps } from '../../deps.ts'

/** A write of the commit. */
export interface Write {
  (deps: TransactionDeps): Promise<unknown>
  /** The same as statements, which are known before the commit; undefined when there are none that do the same. */
  statements?(deps: AppDeps): Promise<WriteStatements | undefined>
}

/** The statements of a write, as a part of `GuardedWrites`. */
export interface WriteStatements {
  guards?: readonly Guard[]
  writes?: readonly Statement[]
  /** Emitted after the commit. */
  events?: readonly EventAfterCommit[]
  /** Called after the commit. */
  after?: () => void
}

/** A write that can be a part of `GuardedWrites`. */
export function writeAs(
  statements: (deps: AppDeps) => Promise<WriteStatements | undefined>,
  write: (deps: TransactionDeps) => Promise<unknown>,
): Write {
  return Object.assign(write, { statements })
}
