import type { TraceStatement } from '../lib/tracing.ts'
import type { RunQuery } from './compiled-queries/handle.ts'

/** Makes each statement a span; the same function without traces. */
export function traced(run: RunQuery, trace: TraceStatement | undefined): RunQuery {
  return trace ? (query) => trace(query.sql, () => run(query)) : run
}
