import type { ReadDb } from '../../db/open.ts'
import { fromJson, toTime } from '../../db/values.ts'
import type { AppDeps } from '../../deps.ts'
import { hasAccess } from '../../features/client-access/public.ts'
import { allowedScopes } from '../../features/connections/public.ts'
import type { PublishedKeys } from '../keys/published-keys.ts'
import { type Claims, type ClaimsRow, claimsOf, claimsOfScopes } from './claims.ts'
import type { Act } from './exchange/act.ts'
import { clientOfJwt, isJwt, jwtIntrospectionOf } from './jwt-access-tokens.ts'
import {
  findTokenOfAnyState,
  listScopesDefinedBy,
  type ReadToken,
  readToken,
  readTokenWithClaims,
} from './live-token-store.ts'
import { isSessionLive } from './store.ts'
import { tokenKey } from './token-keys.ts'

type Payload = {
  scope?: string
  claims?: { userinfo?: Record<string, unknown> }
  expiresWithSession?: boolean
  /** The only resource of the token (RFC 8707). */
  aud?: string
  /** Thumbprint of the key to which the token is bound (RFC 9449 §6). */
  jkt?: string
  /** Thumbprint of the certificate to which the token is bound (RFC 8705 §3.1). */
  'x5t#S256'?: string
  /** Claims that the token was issued with (hook `extraTokenClaims`). */
  extra?: { act?: Act }
}

/** A valid token. */
export interface LiveToken<Row = ReadToken> {
  row: Row
  payload: Payload
  /** Scopes of the token that are still granted. */
  scopes: string[]
  /** All scopes that the user grants the client now. */
  granted: ReadonlySet<string>
}

/** Undefined when the token is unknown, consumed or expired, or its client, session, connection or user has ended. */
export async function liveToken(deps: Pick<AppDeps, 'db' | 'clock'>, value: string): Promise<LiveToken | undefined> {
  return await liveTokenOf(deps, value, readToken)
}

type TokenWithClaims = NonNullable<Awaited<ReturnType<typeof readTokenWithClaims>>>

/** `liveToken` for `userinfoOf`. */
export async function liveTokenWithClaims(
  deps: Pick<AppDeps, 'db' | 'clock'>,
  value: string,
): Promise<LiveToken<TokenWithClaims> | undefined> {
  return await liveTokenOf(deps, value, readTokenWithClaims)
}

async function liveTokenOf<Row extends ReadToken>(
  deps: Pick<AppDeps, 'db' | 'clock'>,
  value: string,
  read: (db: ReadDb, hash: string, now: string) => Promise<Row | undefined>,
): Promise<LiveToken<Row> | undefined> {
  const now = toTime(deps.clock.now())
  const row = await read(deps.db, tokenKey(value), now)
  if (!row || !(await isAllowed(deps.db, row))) return undefined
  const payload = fromJson<Payload>(row.payload)
  if (!isSessionLive(row, payload.expiresWithSession === true, now)) return undefined
  // Scopes revoked by the user or removed from the client since then are removed from the token.
  const granted = grantedNow(row)
  return { row, payload, granted, scopes: (payload.scope ?? '').split(' ').filter((scope) => granted.has(scope)) }
}

/**
 * Whether the rules of the clients let the user in: the connection says it, and while a rule has just changed, the rule. That of the token's client
 * counts, too, where it is another one: it has received the token in exchange, and no connection says what its rule says.
 */
async function isAllowed(db: ReadDb, row: ReadToken): Promise<boolean> {
  const { id, client_id, allowed_client_id, allowed_access_change } = row
  if (id === null || allowed_client_id === null) return true
  if (allowed_access_change === null && row.access_lost_at !== null) return false
  if (allowed_access_change !== null && !(await hasAccess(db, allowed_client_id, id))) return false
  return client_id === allowed_client_id || (await hasAccess(db, client_id, id))
}

/** The client of a token that userinfo refuses, and why; undefined for an unknown one, and after its row was deleted. */
export async function refusedToken(
  { db, clock, config }: Pick<AppDeps, 'db' | 'clock' | 'config'>,
  published: PublishedKeys,
  value: string,
): Promise<{ client_id: string; detail: string } | undefined> {
  if (isJwt(value)) {
    const client_id = await clientOfJwt(config.url, published, value)
    return client_id === undefined ? undefined : { client_id, detail: 'the token is for a resource' }
  }
  const row = await findTokenOfAnyState(db, tokenKey(value))
  if (!row) return undefined
  const expired = row.expires_at <= toTime(clock.now())
  return {
    client_id: row.client_id,
    detail: expired ? 'the access token has expired' : 'the token has ended or was used',
  }
}

function grantedNow({ allowed, client_scopes, allowed_client_scopes }: ReadToken): Set<string> {
  const ofClient = fromJson<string[]>(client_scopes)
  // Without a user (client credentials grant), the client's own scopes are granted.
  if (allowed === null || allowed_client_scopes === null) return new Set(ofClient)
  // Nearly always both are the same client.
  const ofAllowed = allowed_client_scopes === client_scopes ? ofClient : fromJson<string[]>(allowed_client_scopes)
  const granted = allowedScopes(fromJson<string[]>(allowed), ofAllowed)
  return new Set(allowedScopes(granted, ofClient))
}

/** Claims of the token's scopes, and requested single claims within the granted scopes (OpenID Connect Core §5.3.2). */
export async function userinfoOf(
  { config, subjects }: Pick<AppDeps, 'config' | 'subjects'>,
  { row, payload, scopes, granted }: LiveToken<TokenWithClaims>,
): Promise<Claims> {
  const names = new Set(claimsOfScopes(scopes))
  const requested = Object.keys(payload.claims?.userinfo ?? {})
  if (requested.length > 0) {
    const grantedClaims = claimsOfScopes([...granted])
    for (const name of requested) if (grantedClaims.includes(name)) names.add(name)
  }
  const user = row as ClaimsRow
  return { ...claimsOf(user, config.url, names), sub: await subjects.of(row, user.id) }
}

/**
 * Introspection (RFC 7662 §2.2). A client may inspect its own tokens; a resource server, access tokens with scopes that it
 * defines, and sees only these. For other clients no token is active (protocol §3.4).
 */
export async function introspectionOf(
  deps: Pick<AppDeps, 'db' | 'clock' | 'config' | 'encryption' | 'subjects'>,
  published: PublishedKeys,
  value: string,
  caller: string,
) {
  if (isJwt(value)) return await jwtIntrospectionOf(deps, published, value, caller)
  const token = await liveToken(deps, value)
  if (!token) return { active: false }
  const { row, payload, scopes } = token
  const own = row.client_id === caller
  const shown = own ? scopes : [...(await listScopesDefinedBy(deps.db, caller, scopes))]
  if (!own && (shown.length === 0 || row.kind === 'RefreshToken')) return { active: false }
  return {
    active: true,
    iss: deps.config.url,
    sub: row.id === null ? row.client_id : await deps.subjects.of(row, row.id),
    client_id: row.client_id,
    scope: shown.join(' '),
    iat: seconds(row.created_at),
    exp: seconds(row.expires_at),
    ...(payload.aud ? { aud: payload.aud } : {}),
    ...(payload.extra?.act ? { act: payload.extra.act } : {}),
    ...confirmationOf(payload),
    ...(row.kind === 'RefreshToken' ? {} : { token_type: payload.jkt ? 'DPoP' : 'Bearer' }),
  }
}

/** The key or certificate of a bound token (RFC 7800 §3.1). */
function confirmationOf({ jkt, 'x5t#S256': x5t }: Payload) {
  const cnf = { ...(jkt ? { jkt } : {}), ...(x5t ? { 'x5t#S256': x5t } : {}) }
  return Object.keys(cnf).length > 0 ? { cnf } : {}
}

function seconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000)
}
