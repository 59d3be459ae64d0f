import { type JWTPayload, jwtVerify } from 'jose'
import { toTime } from '../../db/values.ts'
import type { AppDeps } from '../../deps.ts'
import { findUser } from '../../features/account/public.ts'
import { hasAccess } from '../../features/client-access/public.ts'
import { findIssuerClient, type IssuerClient } from '../../features/clients/public.ts'
import { allowedScopes, findConnectionById, isUserBlocked } from '../../features/connections/public.ts'
import { findResource } from '../../features/scopes/public.ts'
import { findSession, hasEnded } from '../../features/sessions/public.ts'
import type { PublishedKeys } from '../keys/published-keys.ts'
import { ALGORITHMS } from '../keys/signing-keys.ts'
import { type DecryptedGrant, decryptGrant, grantIdOf } from './grant-ids.ts'
import { findGrantGeneration } from './grant-store.ts'
import { resourceOf } from './resources.ts'

type Deps = Pick<AppDeps, 'db' | 'config' | 'clock' | 'encryption'>

/** Whether a token has the form of a JWT. Opaque tokens have no dots. */
export function isJwt(token: string): boolean {
  return token.split('.').length === 3
}

/** A valid JWT access token. */
export interface LiveJwt {
  /** The claims without `grant`. */
  payload: JWTPayload
  client_id: string
  /** The client whose API is the audience. */
  audience_client_id: string
  /** Scopes of the token that are still granted. */
  scopes: string[]
  /** Consent of the user; undefined in a token of the client credentials grant. */
  allowed: AllowedGrant | undefined
}

interface AllowedGrant {
  user_id: string
  connection_id: string
  session_id: string
  /** The client that the user has allowed; an exchanged token belongs to another one (decision 0094). */
  client_id: string
  /** Scopes that the user grants that client now. */
  scopes: string[]
  /** `token_generation` of the user. */
  generation: number
  grant_generation: string | undefined
}

/**
 * Introspection of a JWT access token (RFC 7662) by its client or its resource. Unlike verifying the signature, it reports
 * at once that the client, the user, the session, the connection or the grant has ended. For its resource it is inactive without scopes, as an opaque
 * token is (live-tokens.ts).
 */
export async function jwtIntrospectionOf(deps: Deps, published: PublishedKeys, token: string, caller: string) {
  const live = await liveJwt(deps, published, token)
  if (!live || (caller !== live.client_id && caller !== live.audience_client_id)) return { active: false }
  const { payload, scopes } = live
  if (caller !== live.client_id && scopes.length === 0) return { active: false }
  return { ...payload, active: true, scope: scopes.join(' '), token_type: isDpopBound(payload) ? 'DPoP' : 'Bearer' }
}

/** The client of an access token that this server has signed, also of an expired one. */
export async function clientOfJwt(
  issuer: string,
  published: PublishedKeys,
  token: string,
): Promise<string | undefined> {
  const options = { issuer, typ: 'at+jwt', algorithms: [...ALGORITHMS], currentDate: new Date(0) }
  const verified = await jwtVerify(token, published, options).catch(() => undefined)
  return verified && String(verified.payload.client_id)
}

/** Undefined when the token is not ours or has expired, or its client, resource, user, session or connection has ended. */
export async function liveJwt(deps: Deps, published: PublishedKeys, token: string): Promise<LiveJwt | undefined> {
  const { db, config, clock } = deps
  const verified = await jwtVerify(token, published, {
    issuer: config.url,
    typ: 'at+jwt',
    algorithms: [...ALGORITHMS],
    currentDate: clock.now(),
  }).catch(() => undefined)
  if (!verified) return undefined
  const { grant, ...payload } = verified.payload
  const client_id = String(payload.client_id)
  const [audience_client_id, client] = await Promise.all([
    findAudienceClient(deps, String(payload.aud)),
    findIssuerClient(db, client_id),
  ])
  if (audience_client_id === undefined || !client?.enabled) return undefined
  const carried = decryptGrant(deps.encryption, grant)
  if (client.token_generation !== carried?.generations.client) return undefined
  const isOfService = payload.sub === client_id
  const allowed = isOfService ? undefined : await findAllowedGrant(deps, payload.sub, client, carried)
  if (!isOfService && !allowed) return undefined
  const granted = allowedScopes(allowed?.scopes ?? client.scopes, client.scopes)
  const scopes = allowedScopes(String(payload.scope ?? '').split(' '), granted)
  return { payload, client_id, audience_client_id, scopes, allowed }
}

/** The client whose API is named; undefined after an API identifier was removed, as nothing else ends tokens that name it. */
async function findAudienceClient({ db, config }: Deps, audience: string): Promise<string | undefined> {
  const prefix = resourceOf(config.url, '')
  if (audience.startsWith(prefix)) return audience.slice(prefix.length)
  return (await findResource(db, audience))?.client_id
}

/** Current consent of the user; undefined when the connection or session of the token has ended. */
async function findAllowedGrant(
  { db, clock }: Deps,
  sub: string | undefined,
  client: IssuerClient,
  { connection_id, session_id, generations, user_id = String(sub) }: DecryptedGrant,
): Promise<AllowedGrant | undefined> {
  const [user, connection, live, ended, grant_generation] = await Promise.all([
    findUser(db, user_id),
    findConnectionById(db, connection_id),
    findSession(db, session_id, clock.now()),
    hasEnded(db, session_id),
    findGrantGeneration(db, grantIdOf(connection_id, session_id), toTime(clock.now())),
  ])
  if (user?.disabled_at !== null || user.token_generation !== generations.user || ended) return undefined
  if (grant_generation !== undefined && grant_generation !== generations.grant) return undefined
  if (connection?.user_id !== user_id || connection.blocked || connection.left_out) return undefined
  // The JWT does not say whether it outlives its session; this is what one that is issued now would do (decision 0094).
  if (!live && !connection.scopes.includes('offline_access')) return undefined
  const generation = user.token_generation
  const found = { user_id, connection_id, session_id, client_id: connection.client_id, generation, grant_generation }
  if (connection.client_id === client.client_id) return { ...found, scopes: connection.scopes }
  const [allowedClient, isBlocked, mayUse] = await Promise.all([
    findIssuerClient(db, connection.client_id),
    isUserBlocked(db, client.developer_id, user_id),
    hasAccess(db, client.client_id, user_id),
  ])
  if (!allowedClient?.enabled || isBlocked || !mayUse) return undefined
  if (allowedClient.token_generation !== generations.allowed_client) return undefined
  return { ...found, scopes: allowedScopes(connection.scopes, allowedClient.scopes) }
}

/** A token that is bound to a certificate is a bearer token (RFC 8705 §3). */
function isDpopBound({ cnf }: JWTPayload): boolean {
  return typeof cnf === 'object' && cnf !== null && 'jkt' in cnf
}
