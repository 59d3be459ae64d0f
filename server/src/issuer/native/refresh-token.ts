import type { IssuerClient } from '../../features/clients/public.ts'
import type { ProviderSnapshot } from '../provider/provider-snapshot.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { recordUse } from '../request/record-use.ts'
import { hasFamilyEnded } from '../tokens/refresh-token-rotation.ts'
import { tokenKey } from '../tokens/token-keys.ts'
import { grantSource } from './grant-source.ts'
import { issueTokens } from './issue-tokens.ts'
import type { TokenForm } from './token-form.ts'
import type { Granted } from './token-response.ts'

/** Ends the grant type of tokens that were refreshed (`gty` in oidc-provider). */
const REFRESHED = 'refresh_token'

/** The refresh token grant with all scopes of the token; the token is replaced (decision 0035). Undefined: oidc-provider answers. */
export async function refreshTokenGrant(
  request: ProviderRequest,
  { signers }: Pick<ProviderSnapshot, 'signers'>,
  client: IssuerClient,
  { refresh_token, scope }: TokenForm,
): Promise<Granted | undefined> {
  if (refresh_token === undefined || scope !== undefined) return undefined
  const source = await grantSource(request, client, 'RefreshToken', refresh_token)
  const { iiat, gty = '', rotations = 0 } = source?.payload ?? {}
  if (!source || iiat === undefined || hasFamilyEnded({ iiat: request.toProviderTime(iiat) })) return undefined
  request.tokens.consume(refresh_token, tokenKey(refresh_token))
  recordUse(request, { client_id: client.client_id, user_id: source.user.id, signed_in: false })
  return await issueTokens(request, signers, client, source, {
    gty: gty.endsWith(REFRESHED) ? gty : `${gty} ${REFRESHED}`,
    rotations: rotations + 1,
    iiat,
  })
}
