/** The members of an authorization request that decide about the next step. */
export interface RequestFacts {
  /** Requested scopes that exist. */
  scopes: readonly string[]
  /** Values of `prompt` (OpenID Connect Core §3.1.2.1). */
  prompts: ReadonlySet<string>
  /** Seconds. */
  max_age: number | undefined
  /** The only user that the client accepts (`id_token_hint`, or `sub` in `claims`). */
  sub: string | undefined
  /** Authentication contexts of which one is essential (OpenID Connect Core §5.5.1.1). */
  acr: readonly string[] | undefined
  /** The client cannot be identified, so that each request needs consent (RFC 6749 §10.2, RFC 8252 §8.6). */
  unidentified: boolean
  requested_at: Date
  /** The user's decision about this request. */
  decision: 'allowed' | 'denied' | undefined
}

/** All that `nextStep` decides by. */
export interface InteractionFacts {
  request: RequestFacts
  /** `sub`: that of its user at the client. `incomplete`: the policy asks for something before the sign-in is complete. */
  session: { sub: string; authenticated_at: Date; acr: string; incomplete: boolean } | undefined
  /** User of the session; undefined when disabled. */
  user: { email_verified: boolean } | undefined
  /** Granted and declined scopes; undefined when the user is not connected to the client. */
  connection: { scopes: readonly string[]; declined: readonly string[] } | undefined
  /** The client's developer has blocked the user. */
  blocked: boolean
  /** The user may use the client (operators §10). */
  access: boolean
  now: Date
}

/**
 * `wrong_user`: the client requires another user than the one who has signed in for this request. `unmet_acr`: the user has
 * signed in for this request without the required authentication context.
 */
export type NextStep =
  | 'login'
  | 'finish'
  | 'blocked'
  | 'verify'
  | 'no_access'
  | 'consent'
  | 'deny'
  | 'wrong_user'
  | 'unmet_acr'
  | 'done'

/** Decides the next step of an authorization request; the only place that does (issuer/README.md). */
export function nextStep({ request, session, user, connection, blocked, access, now }: InteractionFacts): NextStep {
  if (!session || !user) return 'login'
  const signedInForIt = session.authenticated_at > request.requested_at
  if (request.sub && request.sub !== session.sub) return signedInForIt ? 'wrong_user' : 'login'
  if (request.acr && !request.acr.includes(session.acr)) return signedInForIt ? 'unmet_acr' : 'login'
  if (!signedInForIt) {
    if (request.prompts.has('login') || request.prompts.has('select_account')) return 'login'
    if (request.max_age !== undefined && secondsBetween(session.authenticated_at, now) > request.max_age) return 'login'
  }
  if (session.incomplete) return 'finish'
  if (blocked) return 'blocked'
  if (!user.email_verified) return 'verify'
  if (request.decision === 'denied') return 'deny'
  if (!access) return 'no_access'
  if (request.decision === 'allowed' && connection) return 'done'
  if (!connection || request.unidentified || request.prompts.has('consent')) return 'consent'
  const answered = [...connection.scopes, ...connection.declined]
  return request.scopes.every((scope) => answered.includes(scope)) ? 'done' : 'consent'
}

function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000
}
