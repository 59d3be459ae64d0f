import { jwtVerify } from 'jose'
import type { AppDeps } from '../../deps.ts'
import { findUser } from '../../features/account/public.ts'
import { findIssuerClient, mayRequest } from '../../features/clients/public.ts'
import { findConnection } from '../../features/connections/public.ts'
import { findResource } from '../../features/scopes/public.ts'
import { hasEnded } from '../../features/sessions/public.ts'
import type { PublishedKeys } from '../keys/published-keys.ts'
import { ALGORITHMS } from '../keys/signing-keys.ts'
import { decryptGrant } from './grant-ids.ts'
import { resourceOf } from './resources.ts'

export function isJwt(token: string): boolean {
  return token.split('.').length === 3
}

/**
 * Introspection of a JWT access token (RFC 7662) by its client or its resource. Unlike verifying the signature, it reports
 * at once that the client, the user, the session or the connection has ended.
 */
export async function jwtIntrospectionOf(
  deps: Pick<AppDeps, 'db' | 'config' | 'clock' | 'encryption'>,
  published: PublishedKeys,
  token: string,
  caller: string,
) {
  const { db, config, clock } = deps
  const verified = await jwtVerify(token, published, {
    issuer: config.url,
    typ: 'at+jwt',
    algorithms: [...ALGORITHMS],
    currentDate: clock.now(),
  }).catch(() => undefined)
  if (!verified) return { active: false }
  const { grant, ...payload } = verified.payload
  const client_id = String(payload.client_id)
  const audience = String(payload.aud)
  const resource = audience.startsWith(resourceOf(config.url, '')) ? undefined : await findResource(db, audience)
  const owner = resource?.client_id ?? audience.slice(resourceOf(config.url, '').length)
  if (caller !== client_id && caller !== owner) return { active: false }
  // The identifier was removed: nothing else ends tokens that name it.
  if (!resource && audience !== resourceOf(config.url, owner)) return { active: false }
  const client = await findIssuerClient(db, client_id)
  if (!client?.enabled) return { active: false }
  const granted =
    payload.sub === client_id ? client.scopes : await grantedScopes(deps, String(payload.sub), client_id, grant)
  if (!granted) return { active: false }
  const scopes = String(payload.scope ?? '').split(' ')
  const scope = scopes.filter((key) => granted.includes(key) && mayRequest(client.scopes, key)).join(' ')
  return { ...payload, active: true, scope, token_type: isDpopBound(payload) ? 'DPoP' : 'Bearer' }
}

/** Scopes that the user grants now; undefined when the connection or session of the token has ended. */
async function grantedScopes(
  { db, encryption }: Pick<AppDeps, 'db' | 'encryption'>,
  user_id: string,
  client_id: string,
  grant: unknown,
): Promise<string[] | undefined> {
  const { connection_id, session_id, token_generation } = decryptGrant(encryption, grant)
  const [user, connection, ended] = await Promise.all([
    findUser(db, user_id),
    findConnection(db, user_id, client_id),
    hasEnded(db, session_id),
  ])
  if (user?.disabled_at !== null || user.token_generation !== token_generation || ended) return undefined
  return connection?.id === connection_id && !connection.blocked ? connection.scopes : undefined
}

/** A token that is bound to a certificate is a bearer token (RFC 8705 §3). */
function isDpopBound({ cnf }: Record<string, unknown>): boolean {
  return typeof cnf === 'object' && cnf !== null && 'jkt' in cnf
}
