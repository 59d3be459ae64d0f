import { fromJson, toTime } from '../db/values.ts'
import type { OpenDeps } from '../deps.ts'
import { hashToken } from '../ports/ids.ts'
import { type Claims, type ClaimsRow, claimsOf, claimsOfScopes } from './claims.ts'
import { isJwt, jwtIntrospectionOf, type Published } from './jwt-reads.ts'
import { type ReadToken, readToken, scopesDefinedBy } from './read-store.ts'
import { letsLive } from './token-store.ts'

type Payload = {
  scope?: string
  claims?: { userinfo?: Record<string, unknown> }
  expiresWithSession?: boolean
  /** Resource for which alone the token is good. */
  aud?: string
  /** Thumbprint of the key to which the token is bound. */
  jkt?: string
}

/** A token that counts now, with the scopes that are still allowed to it. */
export interface LiveToken {
  row: ReadToken
  payload: Payload
  scopes: string[]
  /** All that its person allows the app now. */
  allowed: ReadonlySet<string>
}

/** The token behind this value; undefined when it is unknown, spent, expired, or anything it hangs on has ended. */
export async function liveToken(deps: Pick<OpenDeps, 'db' | 'clock'>, value: string): Promise<LiveToken | undefined> {
  const now = toTime(deps.clock.now())
  const row = await readToken(deps.db, hashToken(value), now)
  if (!row) return undefined
  const payload = fromJson<Payload>(row.payload)
  if (!letsLive(row, payload.expiresWithSession === true, now)) return undefined
  // What the person or the app's developers have taken back since then is gone from the token, too.
  const allowed = allowedNow(row)
  return { row, payload, allowed, scopes: (payload.scope ?? '').split(' ').filter((scope) => allowed.has(scope)) }
}

function allowedNow({ allowed, client_scopes }: ReadToken): Set<string> {
  const asked = new Set(fromJson<string[]>(client_scopes))
  // A service acts for nobody: what it may ask for, it has.
  if (allowed === null) return asked
  return new Set(fromJson<string[]>(allowed).filter((scope) => asked.has(scope)))
}

/** OpenID Connect Core §5.3.2: the claims of the token's scopes, and those asked for one by one within the consent. */
export function userinfoOf({ row, payload, scopes, allowed }: LiveToken, url: string): Claims {
  const names = new Set(claimsOfScopes(scopes))
  const wished = Object.keys(payload.claims?.userinfo ?? {})
  if (wished.length > 0) {
    const granted = claimsOfScopes([...allowed])
    for (const name of wished) if (granted.includes(name)) names.add(name)
  }
  return claimsOf(row as ClaimsRow, url, names)
}

/**
 * RFC 7662 §2.2. An app may look at its own tokens; a resource server, at access tokens that carry scopes it defines,
 * and sees those only. For everybody else no token is active (oidc.md §2, hazard 4).
 */
export async function introspectionOf(
  deps: Pick<OpenDeps, 'db' | 'clock' | 'config' | 'sealing'>,
  published: Published,
  value: string,
  caller: string,
) {
  if (isJwt(value)) return await jwtIntrospectionOf(deps, published, value, caller)
  const token = await liveToken(deps, value)
  if (!token) return { active: false }
  const { row, payload, scopes } = token
  const own = row.client_id === caller
  const shown = own ? scopes : [...(await scopesDefinedBy(deps.db, caller, scopes))]
  if (!own && (shown.length === 0 || row.kind === 'RefreshToken')) return { active: false }
  return {
    active: true,
    iss: deps.config.url,
    sub: row.id ?? row.client_id,
    client_id: row.client_id,
    scope: shown.join(' '),
    iat: seconds(row.created_at),
    exp: seconds(row.expires_at),
    ...(payload.aud ? { aud: payload.aud } : {}),
    ...(payload.jkt ? { cnf: { jkt: payload.jkt } } : {}),
    ...(row.kind === 'RefreshToken' ? {} : { token_type: payload.jkt ? 'DPoP' : 'Bearer' }),
  }
}

function seconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000)
}
