import { paths } from '@vrata/contract'
import type { AllClientMetadata } from 'oidc-provider'
import type { Config } from '../../config/config.ts'
import { RESPONSE_MODES } from '../provider/clients/client-metadata.ts'

/** Redirect URI of test sign-ins: a page of ours, which passes the response to the page that opened the window. */
export function testRedirectUri({ url }: Pick<Config, 'url'>): string {
  return url + paths.testSignIn
}

/**
 * Metadata of a client for a request of a test sign-in. The request comes from a page, so it is neither pushed nor signed,
 * and its responses are read by us. The developer has authenticated in place of the client (`authenticated`) and has no key for
 * DPoP and no certificate.
 */
export function forTestSignIn(
  metadata: AllClientMetadata,
  redirect_uri: string,
  authenticated: boolean,
): AllClientMetadata {
  const { client_secret, userinfo_signed_response_alg, ...rest } = metadata
  return {
    ...(authenticated ? rest : metadata),
    redirect_uris: [...(metadata.redirect_uris ?? []), redirect_uri],
    response_types: ['code'],
    grant_types: [...new Set([...(metadata.grant_types ?? []), 'authorization_code'])],
    require_pushed_authorization_requests: false,
    require_signed_request_object: false,
    response_modes: [...RESPONSE_MODES],
    ...(authenticated
      ? {
          token_endpoint_auth_method: 'none',
          dpop_bound_access_tokens: false,
          tls_client_certificate_bound_access_tokens: false,
        }
      : {}),
  }
}
