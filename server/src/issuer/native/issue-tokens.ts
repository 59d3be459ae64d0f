import { LIFETIMES } from '@vrata/contract'
import { timeAfter, toJson } from '../../db/values.ts'
import type { IssuerClient } from '../../features/clients/public.ts'
import { lastUseAfter } from '../../features/connections/public.ts'
import type { ProviderSnapshot } from '../provider/provider-snapshot.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { claimsOf, claimsOfScopes } from '../tokens/claims.ts'
import { refreshTokenLifetime } from '../tokens/refresh-token-rotation.ts'
import type { TokenRow } from '../tokens/store.ts'
import { newTimedToken, tokenKey } from '../tokens/token-keys.ts'
import type { GrantSource, SourcePayload } from './grant-source.ts'
import type { Granted, TokenResponse } from './token-response.ts'

/** Members of the new tokens of a grant that do not come from their source. */
type Continued = { gty: string; rotations: number; iiat: string }

/**
 * Creates an access token, a refresh token and, with the scope `openid`, an ID token. Undefined without a key that signs for the
 * client.
 */
export async function issueTokens(
  request: ProviderRequest,
  signers: ProviderSnapshot['signers'],
  client: IssuerClient,
  source: GrantSource,
  { gty, rotations, iiat }: Continued,
): Promise<Granted | undefined> {
  const { payload, scopes } = source
  const signer = signers.get(client.id_token_signed_response_alg)
  if (!signer) return undefined
  const scope = scopes.join(' ')
  const { acr, amr, authTime, nonce, sid, claims, expiresWithSession } = payload
  const access = { expiresWithSession, gty, sid, claims, scope }
  const refresh = {
    acr,
    amr,
    authTime,
    claims,
    expiresWithSession,
    gty,
    nonce,
    rotations,
    scope: payload.scope,
    sid,
    iiat,
  }
  const age = { iiat: request.toProviderTime(iiat) }
  const accessToken = create(request, client, source, 'AccessToken', access, client.access_token_ttl)
  const lifetime = refreshTokenLifetime(age, client.refresh_token_ttl)
  const refreshToken = create(request, client, source, 'RefreshToken', refresh, lifetime)
  const response: TokenResponse = {
    access_token: accessToken.token,
    expires_in: client.access_token_ttl,
    ...(scopes.includes('openid')
      ? { id_token: await signer.signJwt(await idTokenClaims(request, client, source)) }
      : {}),
    refresh_token: refreshToken.token,
    scope,
    token_type: 'Bearer',
  }
  const granted = { response, user_id: source.user.id }
  if (!request.options.remembered) return granted
  // An exchange records no use: its authorization request did.
  const last_used_at = request.tokens.lastUse ? lastUseAfter(source.row, request.now) : source.row.last_used_at
  return { ...granted, next: { ...source.row, ...refreshToken.row, last_used_at } }
}

function create(
  { tokens, now, nowText }: ProviderRequest,
  { client_id }: IssuerClient,
  { connection_id, session_id, grant_id, user }: GrantSource,
  kind: 'AccessToken' | 'RefreshToken',
  payload: Omit<SourcePayload, 'iiat'>,
  lifetime: number,
): { token: string; row: TokenRow } {
  const token = newTimedToken(now)
  const row = {
    token_hash: tokenKey(token),
    kind,
    connection_id,
    session_id,
    client_id,
    user_id: user.id,
    grant_id,
    payload: toJson(payload),
    created_at: nowText,
    expires_at: timeAfter(now, lifetime),
    consumed_at: null,
  }
  tokens.create(row)
  return { token, row }
}

/** OpenID Connect Core §2, with the claims of the granted scopes unless the client wants few (decision 0068). */
async function idTokenClaims(
  { deps }: ProviderRequest,
  client: IssuerClient,
  { user, payload: { acr, amr, authTime, nonce, sid }, scopes }: GrantSource,
): Promise<object> {
  const names = client.id_token_claims === 'minimal' ? [] : claimsOfScopes(scopes)
  const { sub, ...claims } = claimsOf(user, deps.config.url, names)
  const iat = Math.floor(Date.now() / 1000)
  return {
    sub: await deps.subjects.of(client, user.id),
    auth_time: authTime,
    acr,
    amr,
    ...claims,
    nonce,
    sid,
    aud: client.client_id,
    exp: iat + LIFETIMES.id_token,
    iat,
    iss: deps.config.url,
  }
}
