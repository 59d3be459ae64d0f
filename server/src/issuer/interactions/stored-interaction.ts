import type { RequestedClaims } from '../request/interaction-state.ts'

/** Parameters of an authorization request that our pages and decisions use. */
export type InteractionParams = Partial<
  Record<'client_id' | 'redirect_uri' | 'scope' | 'prompt' | 'max_age' | 'login_hint' | 'ui_locales', string>
>

/** `payload` of an interaction's row, besides oidc-provider's own members. */
export interface StoredInteraction {
  params: InteractionParams
  requested: RequestedClaims
  /** Hash of the pushed request, which is used when the interaction is resumed (RFC 9126 §4). */
  pushed_request_hash?: string | undefined
}

/** Scopes of the request, with those of its single claims. */
export function requestedScopes({ params, requested }: StoredInteraction): string[] {
  return [...splitWords(params.scope), ...requested.scopes]
}

/** The distinct words of a space-separated list. */
export function splitWords(text: string | undefined): string[] {
  return text ? [...new Set(text.split(' ').filter(Boolean))] : []
}
