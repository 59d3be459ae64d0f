import type { AccessToken, ResourceServerInstance, TokenEndpointGrantContext } from 'oidc-provider'
import * as helpers from 'oidc-provider/lib/helpers/grants.js'

// The part of compat.ts about grant types of ours. It calls the module that oidc-provider offers for them and may change in
// any release. Its tests are in compat-grants.test.ts.

/** Binds an access token to the key or certificate of a token request. */
export type SenderConstraint = (token: AccessToken) => Promise<void>

/**
 * Depends on oidc-provider 9.x: checks the DPoP proof (RFC 9449 §5) and the client certificate (RFC 8705 §3) of a token
 * request as the library's own grants do. Undefined when the request has neither; throws where the client needs one.
 */
export async function senderConstraintOf(ctx: TokenEndpointGrantContext): Promise<SenderConstraint | undefined> {
  const { provider, client } = ctx.oidc
  const proof = await helpers.validateDpop(provider, ctx)
  const certificate = helpers.checkMtlsCert(provider, ctx)
  helpers.checkDpopRequired(provider, ctx, proof)
  if (!proof && !certificate) return undefined
  return async (token) => {
    if (certificate) token.setThumbprint('x5t', certificate)
    if (!proof) return
    await helpers.checkDpopReplay(provider, ctx, proof, client.clientId)
    token.setThumbprint('jkt', proof.thumbprint)
  }
}

/**
 * Depends on oidc-provider 9.x: the resources that a token request names, or the default one (RFC 8707 §2.2), by the hooks
 * `getResourceServerInfo` and `defaultResource`, which read `scope` of the request.
 */
export async function resourceServersOf(ctx: TokenEndpointGrantContext): Promise<ResourceServerInstance[]> {
  return await helpers.resolveRequestedResources(ctx.oidc.provider, ctx)
}
