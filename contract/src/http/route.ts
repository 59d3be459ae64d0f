import type { z } from 'zod'
import type { Level } from '../levels.ts'
import { type OperatorNeed, roleNeeded } from '../operator-roles.ts'
import { NEXT_STEPS, type NextStep } from '../policy/next-steps.ts'
import type { ProblemCode } from './problem.ts'
import type { RateLimitClass } from './rate-limits.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Callers of a route: members of the current developer account with a level, operators of the installation with a role
 * (`operator:support`), `session` (any signed-in user), `nobody` (no session needed, own origin only) or `anywhere` (public
 * data, any origin). There is no default.
 */
export type Needs = Level | OperatorNeed | 'session' | 'nobody' | 'anywhere'

type Shape = z.ZodRawShape

export type RouteSpec = {
  /** Summary for OpenAPI. */
  summary: string
  needs: Needs
  /**
   * Requires a sign-in or reauthentication of the last 10 minutes (api §2). Not set for calls whose body contains the
   * current password.
   */
  fresh?: boolean
  /** Next steps of a sign-in during which the call is allowed; other calls wait until the sign-in is complete. */
  during?: readonly NextStep[]
  /**
   * A change that members of an organization that is not approved can make, too: of its own profile, and what ends something.
   * They can always read.
   */
  unapproved?: boolean
  /** Rate limits of the call in addition to those of every call. */
  limit?: RateLimitClass
  /** Rate limits of the call when its body has this field. */
  field_limits?: Readonly<Record<string, RateLimitClass>>
  /** 201 for calls that create a resource. */
  status?: 200 | 201
  /** The rule pages the list itself and returns `next_cursor`; other lists are returned as a whole (decision 0005). */
  page?: boolean
  /** A GET call that may read long: over connections of its own, or from a replica with data that is some seconds old (decision 0011). */
  replica?: boolean
  params?: z.ZodObject<Shape>
  query?: z.ZodObject<Shape>
  body?: z.ZodObject<Shape>
  /**
   * Body and answer are a document: JSON, or YAML (RFC 9512) by `Content-Type` and `Accept`. A body has at most `LIMITS.document_bytes`. An
   * answer in YAML is `data` without the envelope; problems are JSON.
   */
  document?: true
  /** Field name of the uploaded file (multipart/form-data, RFC 7578): a `Blob` for the client, an `Upload` for the rule. */
  multipart?: string
  /** Maximum bytes of the file. */
  multipart_bytes?: number
  /** The response is a file of this media type instead of the envelope; `data` is unused. */
  file?: string
  /** Media types of the file that the query can ask for instead. */
  other_file_types?: readonly string[]
  data: z.ZodType
  /** Problems that the rule throws; `problemsOf` adds those of the request guards. */
  problems?: readonly ProblemCode[]
}

export type Route<M extends Method = Method, P extends string = string, S extends RouteSpec = RouteSpec> = S & {
  method: M
  /** Below `/v1`, with `:name` parameters. */
  path: P
}

/** Declares one call of the API for server, client, forms, OpenAPI and tests. */
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

/** Input of a client call: path parameters, query and body as one flat object. */
export type CallOf<R extends Route> = Flat<In<R['params']> & In<R['query']> & In<R['body']> & Brings<R, Blob>>
/** Parsed input of a rule. */
export type InputOf<R extends Route> = Flat<Out<R['params']> & Out<R['query']> & Out<R['body']> & Brings<R, Upload>>
/** A file that is received when the rule reads it, once. */
export type Upload = { read(): Promise<Uint8Array> }
/** Result of a rule, without the envelope; fields that the schema does not name are removed. */
export type AnswerOf<R extends Route> = R extends { file: string }
  ? FileAnswer
  : R extends { page: true }
    ? { data: z.input<R['data']>; next_cursor: string | null }
    : z.input<R['data']>
/** A file response. */
export type FileAnswer = {
  body: AsyncIterable<Uint8Array>
  /** Undefined for content that is generated while it is sent. */
  bytes?: number
  /** Its media type, when it is not the one that the route declares. */
  type?: string
  /** File name for saving; without one the browser displays the file. */
  name?: string
}
/** `data` of a successful response. */
export type DataOf<R extends Route> = z.output<R['data']>

/** Whether members can call it only while operators have approved their organization. */
export function needsApproval({ method, unapproved }: Route): boolean {
  return method !== 'GET' && unapproved !== true
}

/** All problems of a route: those of its request guards (architecture §6.1) and its own. */
export function problemsOf(route: Route): ProblemCode[] {
  const codes: ProblemCode[] = ['invalid_request', 'too_many_requests', 'headers_too_large', 'internal', 'unavailable']
  if (route.needs !== 'anywhere' && route.method !== 'GET') codes.push('cross_site')
  if (route.body || route.multipart) codes.push('payload_too_large', 'unsupported_media_type')
  if (route.multipart) codes.push('request_timeout')
  if (route.needs !== 'anywhere' && route.needs !== 'nobody') {
    codes.push('unauthenticated')
    if (NEXT_STEPS.some((step) => !route.during?.includes(step))) codes.push('sign_in_incomplete')
    if (route.fresh) codes.push('reauthentication_required')
    if (roleNeeded(route.needs)) codes.push('not_found', 'insufficient_level', 'second_factor_required')
    else if (route.needs !== 'session') {
      codes.push('no_developer', 'insufficient_level')
      if (needsApproval(route)) codes.push('organization_not_approved')
    }
  }
  return [...new Set([...codes, ...(route.problems ?? [])])]
}
