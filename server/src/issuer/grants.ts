import type { AdapterPayload, Grant, KoaContextWithOIDC } from 'oidc-provider'
import { claimsOfScopes } from './claims.ts'
import { byResource, type Scopes } from './resources.ts'
import { type Unit, unitOfWork } from './unit-of-work.ts'

/**
 * A grant is never stored: it is the connection, seen from one session. So one session's logout or a replayed token
 * ends what that session was given, while the person's consent and the other devices stay (oidc.md §2, hazard 2).
 */
export function grantIdOf(connection_id: string, session_id: string): string {
  return `${connection_id}.${session_id}`
}

/** What a grant hangs on. */
export function originOf(grant_id: string): { connection_id: string; session_id: string } {
  const [connection_id = '', session_id = ''] = grant_id.split('.')
  return { connection_id, session_id }
}

/** What the person allows the app now and the app may still ask for; undefined when the connection was removed. */
export async function grantPayload(unit: Unit, grant_id: string, known: Scopes): Promise<AdapterPayload | undefined> {
  const found = unit.found.get(grant_id)
  if (!found) return undefined
  const connection = await unit.connection(found.user_id, found.client_id)
  const client = await unit.client(found.client_id)
  if (!client || connection?.id !== originOf(grant_id).connection_id) return undefined
  const scopes = connection.scopes.filter((scope) => client.scopes.includes(scope))
  return {
    jti: grant_id,
    kind: 'Grant',
    accountId: found.user_id,
    clientId: found.client_id,
    openid: { scope: scopes.join(' '), claims: claimsOfScopes(scopes) },
    resources: byResource(unit.deps.config.url, scopes, known),
    iat: unit.toEngine(unit.nowText),
    exp: unit.toEngine(unit.nowText) + 60,
  } as AdapterPayload
}

/** The grant of an authorization request, for the engine's `loadExistingGrant`. */
export async function grantOfRequest(ctx: KoaContextWithOIDC): Promise<Grant | undefined> {
  const unit = unitOfWork()
  const { oidc } = ctx
  const user_id = oidc.session?.accountId
  const client_id = oidc.client?.clientId
  if (!user_id || !client_id || !oidc.session) return undefined
  const connection = await unit.connection(user_id, client_id)
  if (!connection) return undefined
  const grant_id = grantIdOf(connection.id, oidc.session.uid)
  unit.found.set(grant_id, { user_id, client_id, session_id: oidc.session.uid })
  return oidc.provider.Grant.find(grant_id)
}
