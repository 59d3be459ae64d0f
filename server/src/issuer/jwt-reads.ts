import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey, jwtVerify } from 'jose'
import type { OpenDeps } from '../deps.ts'
import { findUser } from '../slices/account/door.ts'
import { clientForIssuer } from '../slices/clients/door.ts'
import { connectionOf } from '../slices/connections/door.ts'
import { ALGORITHMS } from './keys.ts'
import { resourceOf } from './resources.ts'

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
 * us hears at once that its app, its person or what they allowed is gone. Only its app and its resource may ask.
 */
export async function jwtIntrospectionOf(
  { db, config, clock }: Pick<OpenDeps, 'db' | 'config' | 'clock'>,
  published: Published,
  token: string,
  caller: string,
) {
  const verified = await jwtVerify(token, published, {
    issuer: config.url,
    typ: 'at+jwt',
    algorithms: [...ALGORITHMS],
    currentDate: clock.now(),
  }).catch(() => undefined)
  if (!verified) return { active: false }
  const { payload } = verified
  const client_id = String(payload.client_id)
  if (caller !== client_id && payload.aud !== resourceOf(config.url, caller)) return { active: false }
  const client = await clientForIssuer(db, client_id)
  if (!client?.enabled) return { active: false }
  const allowed = payload.sub === client_id ? client.scopes : await allowedBy(db, String(payload.sub), client_id)
  if (!allowed) return { active: false }
  const scopes = String(payload.scope ?? '').split(' ')
  const scope = scopes.filter((key) => allowed.includes(key) && client.scopes.includes(key)).join(' ')
  return { ...payload, active: true, scope, token_type: payload.cnf ? 'DPoP' : 'Bearer' }
}

async function allowedBy(db: OpenDeps['db'], user_id: string, client_id: string): Promise<string[] | undefined> {
  const [user, connection] = await Promise.all([findUser(db, user_id), connectionOf(db, user_id, client_id)])
  return user?.disabled_at === null && connection && !connection.blocked ? connection.scopes : undefined
}
