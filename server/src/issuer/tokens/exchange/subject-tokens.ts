import { hasAccess } from '../../../features/client-access/public.ts'
import { UNREGISTERED } from '../../../features/clients/public.ts'
import { isUserBlocked } from '../../../features/connections/public.ts'
import type { ProviderRequest } from '../../request/provider-request.ts'
import { grantIdOf, parseGrantId } from '../grant-ids.ts'
import { isJwt, type LiveJwt, liveJwt } from '../jwt-access-tokens.ts'
import { type LiveToken, liveToken } from '../live-tokens.ts'
import { resourceOf } from '../resources.ts'
import { tokenKey } from '../token-keys.ts'
import type { Act } from './act.ts'

/** A valid access token of a user that a service presents to act for that user (RFC 8693 §2.1). */
export interface SubjectToken {
  /** Key of its row; undefined for a JWT, which has none. */
  token_hash: string | undefined
  /** `token_generation` of the user of a JWT and the generation of its grant, with which it ends. */
  generations?: { user: number; grant: string | undefined }
  user_id: string
  /** The client to which it was issued. */
  client_id: string
  /** The client that the user has allowed; another one for a token that was exchanged itself. */
  allowed_client_id: string
  grant_id: string
  session_id: string
  /** Scopes of the token that are still granted. */
  scopes: string[]
  /** The only resource of the token (RFC 8707). */
  audience: string | undefined
  /** Time in milliseconds. */
  expires_at: number
  expiresWithSession: boolean
  /** Bound to a key (RFC 9449) or certificate (RFC 8705). */
  isBound: boolean
  act: Act | undefined
}

/** Undefined when the value is not a valid access token of a user. */
export async function findSubjectToken(request: ProviderRequest, value: string): Promise<SubjectToken | undefined> {
  const { deps, options } = request
  if (isJwt(value)) {
    const jwt = await liveJwt(deps, options.publishedKeys, value)
    return jwt && ofJwt(jwt, request)
  }
  const token = await liveToken(deps, value)
  return token && ofOpaqueToken(token, tokenKey(value))
}

function ofJwt({ payload, client_id, scopes, allowed }: LiveJwt, request: ProviderRequest): SubjectToken | undefined {
  if (!allowed) return undefined
  return {
    token_hash: undefined,
    generations: { user: allowed.generation, grant: allowed.grant_generation },
    user_id: allowed.user_id,
    client_id,
    allowed_client_id: allowed.client_id,
    grant_id: grantIdOf(allowed.connection_id, allowed.session_id),
    session_id: allowed.session_id,
    scopes,
    audience: String(payload.aud),
    expires_at: Date.parse(request.fromProviderTime(Number(payload.exp))),
    // The JWT does not say it; this is what a token that is issued now would say.
    expiresWithSession: !allowed.scopes.includes('offline_access'),
    isBound: payload.cnf !== undefined,
    act: payload.act as Act | undefined,
  }
}

function ofOpaqueToken({ row, payload, scopes }: LiveToken, token_hash: string): SubjectToken | undefined {
  const { kind, id: user_id, grant_id, allowed_client_id } = row
  if (kind !== 'AccessToken' || user_id === null || grant_id === null || allowed_client_id === null) return undefined
  return {
    token_hash,
    user_id,
    client_id: row.client_id,
    allowed_client_id,
    grant_id,
    session_id: parseGrantId(grant_id).session_id,
    scopes,
    audience: payload.aud,
    expires_at: Date.parse(row.expires_at),
    expiresWithSession: payload.expiresWithSession === true,
    isBound: payload.jkt !== undefined || payload['x5t#S256'] !== undefined,
    act: payload.extra?.act,
  }
}

/**
 * Whether a service may exchange the token: it was issued to a client of the same developer account, or for an API of the
 * service. Never for a user whom that developer account has blocked (decision 0094).
 */
export async function mayExchange(
  { deps, reads }: ProviderRequest,
  { user_id, client_id, audience }: SubjectToken,
  service_id: string,
): Promise<boolean> {
  const [service, issuedTo] = await Promise.all([reads.client(service_id), reads.client(client_id)])
  if (!service || !issuedTo) return false
  if (await isUserBlocked(deps.db, service.developer_id, user_id)) return false
  if (!(await hasAccess(deps.db, service_id, user_id))) return false
  if (issuedTo.developer_id === service.developer_id) return service.developer_id !== UNREGISTERED
  if (audience === undefined) return false
  if (audience === resourceOf(deps.config.url, service_id)) return true
  return (await reads.resource(audience))?.client_id === service_id
}
