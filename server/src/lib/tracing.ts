/** Runs a statement of the database as a span of the current trace. */
export type TraceStatement = <R>(sql: string, run: () => Promise<R>) => Promise<R>

/** Traces of requests, jobs and their statements (OpenTelemetry). */
export interface Tracing {
  /** Begins the span of a request, below the one that its headers name (W3C Trace Context). */
  request(about: TracedRequest): RequestSpan
  /** The current span, if it is recorded, as others refer to it (`traceparent`, W3C Trace Context §3.2). */
  traceparent(): string | undefined
  /** Runs a job as a trace of its own, with a link to the span that has queued it. */
  job<R>(kind: string, queued_by: string | null, run: () => Promise<R>): Promise<R>
  statement: TraceStatement
  /** Sends what is waiting, and ends. */
  close(): Promise<void>
}

export type TracedRequest = {
  id: string
  method: string
  headers: Record<string, string | string[] | undefined>
}

export interface RequestSpan {
  trace_id: string
  /** Runs a function so that statements and further spans are below this one. */
  run(work: () => void): void
  /** `route` is the pattern, if one matched; the URL contains secrets. */
  end(answer: { route: string | undefined; status: number; problem: string | undefined }): void
}
