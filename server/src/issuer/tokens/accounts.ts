import type { KoaContextWithOIDC, Account as ProviderAccount } from 'oidc-provider'
import { ROUTES } from '../paths.ts'
import { ownMetadata } from '../provider/clients/client-metadata.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { claimsOf } from './claims.ts'

/** oidc-provider's account, with the columns that the interaction policy needs. */
export interface Account extends ProviderAccount {
  user: { email_verified: boolean }
}

/**
 * Hook `findAccount`. Undefined for a user who does not exist or is disabled. oidc-provider takes the claims of the granted
 * scopes and the requested single claims from those that `claims` returns; with `id_token_claims` `minimal`, an ID token
 * has the requested single claims alone (OpenID Connect Core §5.4, §5.5).
 */
export async function findAccount(
  request: ProviderRequest,
  { oidc }: KoaContextWithOIDC,
  sub: string,
): Promise<Account | undefined> {
  const user = await request.reads.user(sub)
  if (!user || user.disabled_at !== null)
    return request.options.path === ROUTES.backchannel_authentication ? nobody(sub) : undefined
  return {
    accountId: user.id,
    user: { email_verified: user.email_verified_at !== null },
    claims: async (use, _, requested) => {
      const minimal = use === 'id_token' && ownMetadata(oidc.client).id_token_claims === 'minimal'
      return claimsOf(user, request.deps.config.url, minimal ? Object.keys(requested) : undefined)
    },
  }
}

/**
 * The account of a backchannel authentication request whose hint names nobody who can sign in. The client gets the same
 * response as for others, and the request is never answered (decision 0039).
 */
function nobody(accountId: string): Account {
  return { accountId, user: { email_verified: false }, claims: async () => ({ sub: accountId }) }
}
