import type { Adapter, AdapterPayload } from 'oidc-provider'
import { fromJson, timeAfter, toJson } from '../../db/values.ts'
import type { TransactionDeps } from '../../deps.ts'
import { type Connection, toConnection } from '../../features/connections/public.ts'
import { ROUTES } from '../paths.ts'
import { assertRedirectUri, isRegisteredRedirectUri } from '../provider/clients/registered-redirect-uri.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import type { ProviderUser } from '../request/reads.ts'
import { parseGrantId } from './grant-ids.ts'
import { type FoundToken, findToken, isSessionLive, type TokenKind } from './store.ts'
import { tokenKey } from './token-keys.ts'

type NonNull<Row> = { [Column in keyof Row]: NonNullable<Row[Column]> }

/** Payload members that are columns, and `jti`, which is the token itself and must not be stored (protocol §3.5). */
const NOT_IN_PAYLOAD = new Set([
  'jti',
  'kind',
  'iat',
  'exp',
  'accountId',
  'clientId',
  'grantId',
  'sessionUid',
  'consumed',
])

/** Adapter of codes, access, refresh and client credentials tokens: rows of `tokens`, by SHA-256 of the token. */
export function tokenModel(request: ProviderRequest, kind: TokenKind): Partial<Adapter> {
  return {
    async upsert(id, payload, expiresIn) {
      const { accountId, clientId, grantId, sessionUid, iiat } = payload
      const grant = grantId === undefined ? undefined : parseGrantId(grantId)
      const stored = Object.fromEntries(Object.entries(payload).filter(([name]) => !NOT_IN_PAYLOAD.has(name)))
      if (iiat !== undefined) stored.iiat = request.fromProviderTime(iiat)
      if (kind === 'AuthorizationCode') await scheduleRedirectUriCheck(request, payload)
      request.tokens.create({
        token_hash: tokenKey(id),
        kind,
        connection_id: grant?.connection_id ?? null,
        session_id: sessionUid ?? grant?.session_id ?? null,
        client_id: clientId as string,
        user_id: accountId ?? null,
        grant_id: grantId ?? null,
        payload: toJson(stored),
        created_at: request.nowText,
        expires_at: timeAfter(request.now, expiresIn as number),
        consumed_at: null,
      })
    },

    async find(id) {
      const row = await request.options.unknownCommits.find(
        tokenKey(id),
        (key) => findToken(request.deps.db, kind, key, request.nowText),
        ({ consumed_at }) => consumed_at !== null,
      )
      if (!row) return undefined
      const payload = fromJson<AdapterPayload & { iiat?: string }>(row.payload)
      if (!isSessionLive(row, payload.expiresWithSession === true, request.nowText)) return undefined
      if (kind === 'AuthorizationCode' && !(await isRedirectUriRegistered(request, row, payload))) return undefined
      if (row.grant_id !== null) {
        const { user_id, client_id, session_id, grant_id, allowed_client_id } = row as NonNull<typeof row>
        request.reads.grants.set(grant_id, { user_id, client_id, session_id, allowed_client_id })
        request.tokens.found(id, grant_id)
        addOwner(request, row)
      }
      return {
        ...payload,
        ...(payload.iiat ? { iiat: request.toProviderTime(payload.iiat) } : {}),
        jti: id,
        kind,
        iat: request.toProviderTime(row.created_at),
        exp: request.toProviderTime(row.expires_at),
        accountId: row.user_id ?? undefined,
        clientId: row.client_id,
        grantId: row.grant_id ?? undefined,
        sessionUid: row.session_id ?? undefined,
        ...(row.consumed_at ? { consumed: request.toProviderTime(row.consumed_at) } : {}),
      } as AdapterPayload
    },

    async consume(id) {
      request.tokens.consume(id, tokenKey(id))
    },

    async destroy(id) {
      request.tokens.delete(id, tokenKey(id))
    },

    async revokeByGrantId(grant_id) {
      const owner = request.reads.grants.get(grant_id)
      // A service that revokes an exchanged token does not sign the user out of the app.
      if (owner && owner.client_id !== owner.allowed_client_id) return
      request.tokens.deleteOfGrant(grant_id, kind)
      // oidc-provider revokes the kinds that the client may use, this one always, when the token endpoint gets a code or refresh
      // token a second time. All of the grant are deleted then, and of several such requests, the one that does it reports it.
      if (kind !== 'AccessToken' || request.options.path !== ROUTES.token) return
      request.tokens.deleteOfGrant(grant_id)
      request.finalWrites.push(async (deps) => {
        if (request.tokens.hasDeleted) await reportReplay(request, deps, grant_id)
      })
    },
  }
}

/** Reports a code or refresh token that was used twice, which a thief may have done (RFC 9700 §4.14.2). */
export async function reportReplay(
  { reads, options }: ProviderRequest,
  deps: TransactionDeps,
  grant_id: string,
): Promise<void> {
  const grant = reads.grants.get(grant_id)
  if (!grant) return
  const { user_id, client_id } = grant
  await deps.emit('security_event', { type: 'token_replayed', user_id, client_id, from: options.visitor() })
}

/** A code goes to its redirect URI when the transaction that stores it has committed. */
async function scheduleRedirectUriCheck(
  request: ProviderRequest,
  { clientId, redirectUri }: AdapterPayload,
): Promise<void> {
  const client = await request.reads.client(clientId as string)
  if (client) request.writes.push(assertRedirectUri(client, redirectUri))
}

/** A code for a redirect URI that was removed meanwhile is not exchanged. */
async function isRedirectUriRegistered(
  { deps, reads }: ProviderRequest,
  { client_id }: Pick<FoundToken, 'client_id'>,
  { redirectUri }: AdapterPayload,
): Promise<boolean> {
  const client = await reads.client(client_id)
  return client !== undefined && isRegisteredRedirectUri(deps.config, client, redirectUri)
}

/** The connection that a token was read with; undefined when it belongs to none. */
export function connectionOf(row: FoundToken): Connection | undefined {
  const { connection_id: id, allowed: scopes, declined, blocked_at, access_lost_at, last_used_at } = row
  if (id === null || scopes === null || declined === null) return undefined
  return toConnection({ id, scopes, declined, blocked_at, access_lost_at, last_used_at })
}

/** oidc-provider asks next for the account and the grant; both were read together with the token. */
function addOwner({ reads }: ProviderRequest, row: FoundToken): void {
  const connection = connectionOf(row)
  if (row.id === null || row.allowed_client_id === null || !connection) return
  reads.add(row as ProviderUser, row.allowed_client_id, connection)
}
