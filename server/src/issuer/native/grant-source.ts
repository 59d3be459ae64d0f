import { fromJson, timeAfter } from '../../db/values.ts'
import type { IssuerClient } from '../../features/clients/public.ts'
import { allowedScopes } from '../../features/connections/public.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import type { ProviderUser } from '../request/reads.ts'
import { type FoundToken, findToken, isSessionLive, type TokenKind, unchangedOwner } from '../tokens/store.ts'
import { tokenKey } from '../tokens/token-keys.ts'
import { connectionOf } from '../tokens/token-models.ts'
import { hold, type Rules } from './rules.ts'

/** Stored members of a code or refresh token (`payload`). */
export interface SourcePayload {
  scope?: string
  claims?: object
  resource?: unknown
  acr?: string
  amr?: string[]
  authTime?: number
  nonce?: string
  sid?: string
  gty?: string
  expiresWithSession?: boolean
  /** When the first refresh token of the family was issued. */
  iiat?: string
  rotations?: number
  codeChallenge?: string
  codeChallengeMethod?: string
  redirectUri?: string
  jkt?: string
  'x5t#S256'?: string
  dpopJkt?: string
}

/** A code or refresh token that a client presents, with the user and what they grant now. */
export interface GrantSource {
  token: string
  grant_id: string
  session_id: string
  connection_id: string
  payload: SourcePayload
  user: ProviderUser
  /** The row as it was read. */
  row: FoundToken
  /** Scopes of the token that are still granted, in the order in which the user has granted them. */
  scopes: string[]
}

type Facts = { row: FoundToken; payload: SourcePayload; client: IssuerClient; scopes: string[]; now: string }

/** A token whose grant lives, and that asks for nothing special. */
export const SOURCE_RULES: Rules<Facts> = {
  'of this client': ({ row, client }) => row.client_id === client.client_id,
  'live session': ({ row, payload, now }) => isSessionLive(row, payload.expiresWithSession === true, now),
  'enabled user': ({ row }) => row.disabled_at === null,
  'not bound': ({ payload }) => !payload.jkt && !payload['x5t#S256'] && !payload.dpopJkt,
  'no single claims': ({ payload }) => Object.keys(payload.claims ?? {}).length === 0,
  'no resource': ({ payload }) => payload.resource === undefined,
  'openid granted': ({ payload, scopes }) => !payload.scope?.split(' ').includes('openid') || scopes.includes('openid'),
}

/** Undefined when oidc-provider has to answer: also when the token is unknown. */
export async function grantSource(
  request: ProviderRequest,
  client: IssuerClient,
  kind: TokenKind,
  token: string,
): Promise<GrantSource | undefined> {
  const { nowText, reads, tokens } = request
  const row = await foundToken(request, kind, tokenKey(token))
  // The write is conditional, too; oidc-provider ends the grant of a token that is used again.
  if (!row || row.consumed_at !== null) return undefined
  const { id, grant_id, session_id } = row
  const connection = connectionOf(row)
  if (id === null || grant_id === null || session_id === null || !connection) return undefined
  const payload = fromJson<SourcePayload>(row.payload)
  const requested = new Set(payload.scope?.split(' '))
  const scopes = allowedScopes(connection.scopes, client.scopes).filter((scope) => requested.has(scope))
  if (!hold(SOURCE_RULES, { row, payload, client, scopes, now: nowText })) return undefined
  const user = row as FoundToken & ProviderUser
  reads.add(user, client.client_id, connection)
  tokens.found(token, grant_id)
  return { token, grant_id, session_id, connection_id: connection.id, payload, user, row, scopes }
}

/** A remembered row needs no read: the commit compares it (decision 0097). */
async function foundToken(
  { deps, now, reads, options }: ProviderRequest,
  kind: TokenKind,
  hash: string,
): Promise<FoundToken | undefined> {
  // oidc-provider compares seconds, so a token in its last second may have expired already.
  const by = { kind, hash, now: timeAfter(now, 1) }
  const known = options.remembered?.take<FoundToken>(hash)
  if (!known) return await findToken(deps.db, by.kind, by.hash, by.now)
  reads.assumed.push(unchangedOwner(by, known))
  return known
}
