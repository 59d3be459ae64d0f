import type { ProblemBody } from './problem.ts'

/** Every answer of `/v1` (api.md §1). `next_cursor` stands beside lists. */
export type Envelope<T = unknown> =
  | { status: 'success'; data: T; next_cursor?: string | null }
  | { status: 'error'; error: ProblemBody }
