import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { OpenDeps } from '../deps.ts'
import { findUser } from '../slices/account/door.ts'
import { hasEnded } from '../slices/auth/door.ts'
import { clientForIssuer } from '../slices/clients/door.ts'
import { connectionOf } from '../slices/connections/door.ts'
import { originOf } from './grants.ts'
import { ALGORITHMS } from './keys.ts'
import { resourceOf } from './resources.ts'
import { openedGrant } from './token-claims.ts'

/** Checks what one set of our keys has signed. */
export type Published = JWTVerifyGetKey

export function publishedKeys(jwks: JSONWebKeySet): Published {
  return createLocalJWKSet(jwks)
}

export function isJwt(token: string): boolean {
  return token.split('.').length === 3
}

/**
 * What is true of a JWT access token now (RFC 7662). Whoever checks it alone believes it until it expires; whoever asks
 * us hears at once that its app, its person, their session or what they allowed is gone. Only its app and its resource
 * may ask.
 */
export async function jwtIntrospectionOf(
  deps: Pick<OpenDeps, 'db' | 'config' | 'clock' | 'sealing'>,
  published: Published,
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
  if (caller !== client_id && payload.aud !== resourceOf(config.url, caller)) return { active: false }
  const client = await clientForIssuer(db, client_id)
  if (!client?.enabled) return { active: false }
  const allowed =
    payload.sub === client_id ? client.scopes : await allowedBy(deps, String(payload.sub), client_id, grant)
  if (!allowed) return { active: false }
  const scopes = String(payload.scope ?? '').split(' ')
  const scope = scopes.filter((key) => allowed.includes(key) && client.scopes.includes(key)).join(' ')
  return { ...payload, active: true, scope, token_type: payload.cnf ? 'DPoP' : 'Bearer' }
}

/** What the person still allows by the very consent, and in the very session, that the token came of. */
async function allowedBy(
  { db, sealing }: Pick<OpenDeps, 'db' | 'sealing'>,
  user_id: string,
  client_id: string,
  grant: unknown,
): Promise<string[] | undefined> {
  const { connection_id, session_id } = originOf(openedGrant(sealing, grant))
  const [user, connection, ended] = await Promise.all([
    findUser(db, user_id),
    connectionOf(db, user_id, client_id),
    hasEnded(db, session_id),
  ])
  const counts = user?.disabled_at === null && connection?.id === connection_id && !connection.blocked && !ended
  return counts ? connection.scopes : undefined
}
