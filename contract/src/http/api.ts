import type { Envelope } from './envelope.ts'
import type { ProblemBody } from './problem.ts'
import type { CallOf, DataOf, Route } from './route.ts'

/** Result of a call; the typed client does not throw on error responses (architecture §6.1). */
export type Answer<T> =
  | { ok: true; data: T; next_cursor: string | null; http: number }
  | { ok: false; problem: ProblemBody; http: number; retry_after?: number }

/** Sends a request: fetch in the browser, `app.inject` in tests. */
export type Transport = (request: {
  method: string
  /** Path and query, beginning with `/v1`. */
  url: string
  /** Sent as JSON; a `FormData` is sent as it is. */
  body?: unknown
}) => Promise<{ status: number; json: unknown; retry_after?: string | null }>

/** The part of a route that the client needs; the browser has only this. */
export type Address = Pick<Route, 'method' | 'path'>

export type Api = <R extends Route>(route: R, ...input: CallArgs<R>) => Promise<Answer<DataOf<R>>>
type CallArgs<R extends Route> = keyof CallOf<R> extends never
  ? [input?: Record<never, never>]
  : Record<never, never> extends CallOf<R>
    ? [input?: CallOf<R>]
    : [input: CallOf<R>]

/** Creates a typed client over a transport. */
export function createApi(transport: Transport): Api {
  return async (route: Route, input?: object) => {
    const { url, body } = addressed(route, (input ?? {}) as Record<string, unknown>)
    const answer = await transport({ method: route.method, url, body })
    const envelope = answer.json as Envelope<never> | undefined
    if (envelope?.status === 'success') {
      return { ok: true, data: envelope.data, next_cursor: envelope.next_cursor ?? null, http: answer.status }
    }
    const problem: ProblemBody =
      envelope?.status === 'error'
        ? envelope.error
        : { code: 'internal', message: `HTTP ${answer.status} without a body` }
    const retry = Number(answer.retry_after)
    return { ok: false, problem, http: answer.status, ...(retry > 0 ? { retry_after: retry } : {}) }
  }
}

/** Splits the flat input into path, query (GET and DELETE) and body (all others, and DELETE with `body`). */
export function addressed(route: Address & { bodied?: boolean; body?: unknown }, input: Record<string, unknown>) {
  const rest = { ...input }
  const path = route.path.replace(/:([a-z_]+)/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  if (Object.values(rest).some((value) => value instanceof Blob)) return { url: `/v1${path}`, body: formOf(rest) }
  const inQuery = route.method === 'GET' || (route.method === 'DELETE' && !route.body)
  const query = new URLSearchParams()
  if (inQuery) {
    for (const [name, value] of Object.entries(rest)) if (value != null) query.set(name, String(value))
  }
  const search = query.size ? `?${query}` : ''
  return { url: `/v1${path}${search}`, body: inQuery ? undefined : rest }
}

/** Encodes an upload as multipart/form-data (RFC 7578). */
function formOf(input: Record<string, unknown>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(input)) form.set(name, value instanceof Blob ? value : String(value))
  return form
}
