import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { isEnabledForUpdate, recordFirstSignIn } from '../../features/clients/public.ts'
import { withRequest } from '../request/current-request.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { recordSignIn, recordSilentSignIn, recordUse } from '../request/record-use.ts'
import { cibaRequestOf, deviceCodeOf, isAuthorizationCodeGrant, refreshTokenOf } from './compat/compat.ts'
import { ClientDisabled } from './provider-errors.ts'

/** Listens to oidc-provider's events: records activity and statistics, ends sessions, logs failures. */
export function listenToProviderEvents(provider: Provider): void {
  provider.on('authorization.success', withRequest(onAuthorization))
  provider.on('grant.success', withRequest(onTokens))
  provider.on(
    'session.destroyed',
    withRequest((request, session) =>
      request.signOut({ session_id: session.uid, user_id: session.accountId as string }),
    ),
  )
  provider.on(
    'server_error',
    withRequest((request, _, error) => request.failed(error)),
  )
}

function onAuthorization(request: ProviderRequest, { oidc }: KoaContextWithOIDC): void {
  const { session, client, prompts } = oidc
  const user_id = session?.accountId
  if (!user_id || !client || !session) return
  const { clientId: client_id } = client
  // With `prompt=none` a client checks for a session; the statistics count no sign-in.
  const signed_in = !prompts.has('none')
  if (session.grantIdFor(client_id)) recordUse(request, { client_id, user_id, signed_in })
  const signIn = { user_id, session_id: session.uid, client_id }
  if (signed_in) recordSignIn(request, signIn)
  else recordSilentSignIn(request, signIn)
}

function onTokens(request: ProviderRequest, { oidc }: KoaContextWithOIDC): void {
  if (!oidc.client) return
  const { clientId: client_id } = oidc.client
  const refreshed = oidc.params?.grant_type === 'refresh_token' ? refreshTokenOf(oidc)?.accountId : undefined
  if (refreshed) recordUse(request, { client_id, user_id: refreshed, signed_in: false })
  // A device or app whose user has answered elsewhere signs in when it collects its tokens.
  const answered = deviceCodeOf(oidc) ?? cibaRequestOf(oidc)
  const { accountId: user_id, sessionUid: session_id = null } = answered ?? {}
  if (user_id) {
    recordUse(request, { client_id, user_id, signed_in: true })
    recordSignIn(request, { user_id, session_id, client_id })
  }
  if ((isAuthorizationCodeGrant(oidc) && !request.options.test) || answered) {
    request.finalWrites.push(async (deps) => {
      const client = await request.reads.client(client_id)
      if (client) await recordFirstSignIn(deps, client)
    })
  }
  // A transaction that disables the client waits for the token that these two consume, and then finds the new ones.
  const consumes = isAuthorizationCodeGrant(oidc) || oidc.params?.grant_type === 'refresh_token'
  if (!consumes && !request.options.test) {
    request.finalWrites.push(async ({ db }) => {
      if (!(await isEnabledForUpdate(db, client_id))) throw new ClientDisabled(client_id)
    })
  }
}
