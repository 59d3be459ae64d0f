import type { ProblemBody } from './problem.ts'

/** Response body of `/v1` (api §1). `next_cursor` is present for lists. */
export type Envelope<T = unknown> =
  | { status: 'success'; data: T; next_cursor?: string | null }
  | { status: 'error'; error: ProblemBody }
