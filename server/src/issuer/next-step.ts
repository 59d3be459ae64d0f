/** What an authorization request asks for, as far as it decides where its person goes next. */
export interface AskedFor {
  /** Scopes that it asks for and that exist. */
  scopes: readonly string[]
  /** Values of `prompt` (OpenID Connect Core §3.1.2.1). */
  prompts: ReadonlySet<string>
  /** Seconds that may have passed since the person proved who they are. */
  max_age: number | undefined
  /** The one person that the app will have (`id_token_hint`, or `sub` in `claims`). */
  sub: string | undefined
  /** Of these authentication contexts the app insists on one (OpenID Connect Core §5.5.1.1). */
  acr: readonly string[] | undefined
  /** The app cannot prove who it is, so that consent is never taken for granted (RFC 6749 §10.2, RFC 8252 §8.6). */
  unassured: boolean
  /** When the request arrived. */
  asked_at: Date
  /** What the person has answered to this very request. */
  decision: 'allowed' | 'denied' | undefined
}

/** What is known of the person in front of the browser. */
export interface Facts {
  request: AskedFor
  session: { user_id: string; authenticated_at: Date; acr: string } | undefined
  user: { email_verified: boolean } | undefined
  /** Scopes that the person allows this app, and those they did not; undefined when the app is not linked. */
  connection: { scopes: readonly string[]; declined: readonly string[] } | undefined
  /** The app's organisation lets this person into none of its apps. */
  blocked: boolean
  now: Date
}

/** `refuse`: the app wants somebody else than who has just signed in; `unmet`: it wants them to be known more surely. */
export type NextStep = 'login' | 'blocked' | 'verify' | 'consent' | 'deny' | 'refuse' | 'unmet' | 'done'

/** The only place that decides where a pending authorization request goes next. The steps know nothing of each other. */
export function nextStep({ request, session, user, connection, blocked, now }: Facts): NextStep {
  if (!session || !user) return 'login'
  const signedInForIt = session.authenticated_at > request.asked_at
  if (request.sub && request.sub !== session.user_id) return signedInForIt ? 'refuse' : 'login'
  if (request.acr && !request.acr.includes(session.acr)) return signedInForIt ? 'unmet' : 'login'
  if (!signedInForIt) {
    if (request.prompts.has('login') || request.prompts.has('select_account')) return 'login'
    if (request.max_age !== undefined && secondsBetween(session.authenticated_at, now) > request.max_age) return 'login'
  }
  if (blocked) return 'blocked'
  if (!user.email_verified) return 'verify'
  if (request.decision === 'denied') return 'deny'
  if (request.decision === 'allowed' && connection) return 'done'
  if (!connection || request.unassured || request.prompts.has('consent')) return 'consent'
  const answered = [...connection.scopes, ...connection.declined]
  return request.scopes.every((scope) => answered.includes(scope)) ? 'done' : 'consent'
}

function secondsBetween(from: Date, to: Date): number {
  return (to.getTime() - from.getTime()) / 1000
}
