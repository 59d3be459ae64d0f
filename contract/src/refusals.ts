import { z } from 'zod'
import * as f from './fields.ts'
import { route } from './route.ts'

/** Why a request of an app can be refused; each has its plain sentence, and what mends it, in the phrases. */
export const REASONS = [
  'client_disabled',
  /** At the authorization endpoint. */
  'redirect_uri',
  'scope',
  'pkce_missing',
  'pkce_method',
  'response_type',
  'authorization_request',
  /** Of requests that are sent ahead (RFC 9126) or signed (RFC 9101). */
  'par_required',
  'request_uri',
  'request_object',
  /** At the token endpoint, and wherever else an app proves who it is. */
  'origin',
  'secret_missing',
  'secret_wrong',
  /** Of an app that proves itself by its key (RFC 7523). */
  'assertion_missing',
  'assertion',
  /** Of tokens that are bound to a key (RFC 9449). */
  'dpop_missing',
  'dpop_proof',
  'code',
  'code_verifier',
  'redirect_uri_changed',
  'refresh_token',
  'grant_type',
  'token_request',
] as const
export type Reason = (typeof REASONS)[number]

export const refusal = z.object({
  reason: z.enum(REASONS),
  /** What it was about: the redirect URI, the scope, the origin, or the protocol's own words; may be empty. */
  detail: z.string(),
  /** The detail is an address that can be registered as it stands. Whether it should be, only its developers know. */
  addable: z.boolean(),
  /** At least so often. */
  times: z.number().int(),
  first_at: f.time,
  last_at: f.time,
})
export type Refusal = z.output<typeof refusal>

const params = z.object({ id: f.id })

export const listRefusals = route('GET', '/client/:id/refusals', {
  summary: 'Why requests of an app were refused within the last seven days; the latest first, the same ones counted.',
  needs: 'developer',
  params,
  data: z.array(refusal),
  problems: ['not_found'],
})

export const forgetRefusals = route('DELETE', '/client/:id/refusals', {
  summary: 'Forget the refused requests of an app.',
  needs: 'developer',
  params,
  data: f.nothing,
  problems: ['not_found'],
})
