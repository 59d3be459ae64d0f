import type { z } from 'zod'
import type { Level } from './levels.ts'
import type { ProblemCode } from './problem.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call: a developer level (in the session's current developer), `session` (anybody signed in), `nobody`
 * (no session needed, own origin only) or `anywhere` (public data that any site may embed). There is no default.
 */
export type Needs = Level | 'session' | 'nobody' | 'anywhere'

type Shape = z.ZodRawShape

export type RouteSpec = {
  /** One line for the OpenAPI page. */
  summary: string
  needs: Needs
  /**
   * `fresh`: a sign-in or reauthentication of the last 10 minutes (api.md §2, "Reauthentication").
   * Calls that take the current password in their body are their own proof and do not set it.
   */
  fresh?: boolean
  /** 201 where something new exists afterwards. */
  status?: 200 | 201
  /** The rule tells a list page by page and says itself what `next_cursor` is; other lists are whole (decision 0198). */
  page?: boolean
  params?: z.ZodObject<Shape>
  query?: z.ZodObject<Shape>
  body?: z.ZodObject<Shape>
  /** Name of the one file that the call brings (multipart/form-data, RFC 7578): a `Blob` to callers, bytes to the rule. */
  multipart?: string
  /** Most bytes of that file. */
  multipart_bytes?: number
  /** Answers a file of this media type in place of the envelope; `data` says nothing then. */
  file?: string
  data: z.ZodType
  /** Problems that the rule itself may throw; those of the fence are added by `problemsOf`. */
  problems?: readonly ProblemCode[]
}

export type Route<M extends Method = Method, P extends string = string, S extends RouteSpec = RouteSpec> = S & {
  method: M
  /** Below `/v1`, with `:name` parameters. */
  path: P
}

/** States one call of the API, once: server, client, forms, OpenAPI and tests read it from here. */
export function route<const M extends Method, const P extends string, const S extends RouteSpec>(
  method: M,
  path: P,
  spec: S,
): Route<M, P, S> {
  return { ...spec, method, path }
}

export function isRoute(value: unknown): value is Route {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'needs' in value
}

type In<T> = T extends z.ZodType ? z.input<T> : unknown
type Out<T> = T extends z.ZodType ? z.output<T> : unknown
type Flat<T> = { [K in keyof T]: T[K] } & {}

type Brings<R extends Route, T> = R extends { multipart: infer Name extends string } ? { [K in Name]: T } : unknown

/** What a caller hands over: path parameters, query and body as one flat object. */
export type CallOf<R extends Route> = Flat<In<R['params']> & In<R['query']> & In<R['body']> & Brings<R, Blob>>
/** What a rule receives: the same, parsed. */
export type InputOf<R extends Route> = Flat<Out<R['params']> & Out<R['query']> & Out<R['body']> & Brings<R, Uint8Array>>
/** What a rule returns, before the envelope; fields that are not named in the schema never leave the server. */
export type AnswerOf<R extends Route> = R extends { file: string }
  ? FileAnswer
  : R extends { page: true }
    ? { data: z.input<R['data']>; next_cursor: string | null }
    : z.input<R['data']>
/** A file on its way out. */
export type FileAnswer = {
  body: AsyncIterable<Uint8Array>
  /** Left out for what is written while it leaves. */
  bytes?: number
  /** The name under which a browser saves it; without one it is shown where it stands. */
  name?: string
}
/** What a caller gets as `data`. */
export type DataOf<R extends Route> = z.output<R['data']>

/** Problems of the fence, which depend on what a route needs (house.md §4). */
export function problemsOf(route: Route): ProblemCode[] {
  const codes: ProblemCode[] = ['invalid_request', 'too_many_requests', 'internal', 'unavailable']
  if (route.needs !== 'anywhere' && route.method !== 'GET') codes.push('cross_site')
  if (route.body || route.multipart) codes.push('payload_too_large', 'unsupported_media_type')
  if (route.needs !== 'anywhere' && route.needs !== 'nobody') {
    codes.push('unauthenticated')
    if (route.fresh) codes.push('reauthentication_required')
    if (route.needs !== 'session') codes.push('no_developer', 'insufficient_level')
  }
  return [...new Set([...codes, ...(route.problems ?? [])])]
}
