import { clients, LOCALES } from '@vrata/contract'
import type { Config } from '../../config/config.ts'
import { STANDARD_SCOPES } from '../../features/scope-catalog/public.ts'
import { ACR_VALUES } from '../interactions/acr.ts'
import { ALGORITHMS } from '../keys/signing-keys.ts'
import { ROUTES } from '../paths.ts'
import { authMethodsOf, JWT_RESPONSE_MODES, RESPONSE_MODES, WEB_MESSAGE } from '../provider/clients/client-metadata.ts'
import { SCOPE_CLAIMS } from '../tokens/claims.ts'

/** The discovery document (OpenID Connect Discovery §3, RFC 8414 §2). */
export function discoveryOf(config: Pick<Config, 'url' | 'client_registration' | 'client_id_metadata' | 'mtls'>) {
  const { url, client_registration, client_id_metadata } = config
  const methods = authMethodsOf(config)
  const document = {
    issuer: url,
    authorization_endpoint: url + ROUTES.authorization,
    token_endpoint: url + ROUTES.token,
    pushed_authorization_request_endpoint: url + ROUTES.pushed_authorization_request,
    device_authorization_endpoint: url + ROUTES.device_authorization,
    ...(client_id_metadata ? { client_id_metadata_document_supported: true } : {}),
    backchannel_authentication_endpoint: url + ROUTES.backchannel_authentication,
    ...(client_registration ? { registration_endpoint: url + ROUTES.registration } : {}),
    userinfo_endpoint: url + ROUTES.userinfo,
    jwks_uri: url + ROUTES.jwks,
    introspection_endpoint: url + ROUTES.introspection,
    revocation_endpoint: url + ROUTES.revocation,
    end_session_endpoint: url + ROUTES.end_session,
    // Scopes of clients are left out: there may be many, and their names may be confidential.
    scopes_supported: [...STANDARD_SCOPES],
    claims_supported: [...Object.values(SCOPE_CLAIMS).flat(), 'auth_time', 'acr', 'amr', 'iss', 'sid'],
    acr_values_supported: [...ACR_VALUES],
    claims_parameter_supported: true,
    response_types_supported: ['code'],
    response_modes_supported: [...RESPONSE_MODES, ...JWT_RESPONSE_MODES, WEB_MESSAGE],
    grant_types_supported: [...clients.GRANT_TYPES],
    claim_types_supported: ['normal'],
    subject_types_supported: [...clients.SUBJECT_TYPES],
    id_token_signing_alg_values_supported: [...ALGORITHMS],
    userinfo_signing_alg_values_supported: [...ALGORITHMS],
    authorization_signing_alg_values_supported: [...ALGORITHMS],
    introspection_signing_alg_values_supported: [...ALGORITHMS],
    token_endpoint_auth_methods_supported: methods,
    token_endpoint_auth_signing_alg_values_supported: [...clients.CLIENT_SIGNING_ALGORITHMS],
    introspection_endpoint_auth_methods_supported: methods.filter((method) => method !== 'none'),
    introspection_endpoint_auth_signing_alg_values_supported: [...clients.CLIENT_SIGNING_ALGORITHMS],
    revocation_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_signing_alg_values_supported: [...clients.CLIENT_SIGNING_ALGORITHMS],
    code_challenge_methods_supported: ['S256'],
    prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
    ui_locales_supported: [...LOCALES],
    backchannel_token_delivery_modes_supported: [...clients.DELIVERY_MODES],
    backchannel_user_code_parameter_supported: false,
    backchannel_authentication_request_signing_alg_values_supported: [...clients.CLIENT_SIGNING_ALGORITHMS],
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
    authorization_response_iss_parameter_supported: true,
    dpop_signing_alg_values_supported: [...clients.CLIENT_SIGNING_ALGORITHMS],
    request_parameter_supported: true,
    request_object_signing_alg_values_supported: [...clients.CLIENT_SIGNING_ALGORITHMS],
    request_uri_parameter_supported: false,
  }
  return { ...document, ...certificatesOf(config, document) }
}

/** Endpoints to which the user's browser goes; it has no certificate of the client. */
const FOR_BROWSERS = ['authorization_endpoint', 'end_session_endpoint']

/** Tokens bound to certificates, and the endpoints at the origin that asks for certificates (RFC 8705 §3.3, §5). */
function certificatesOf({ mtls, url }: Pick<Config, 'mtls' | 'url'>, document: Record<string, unknown>) {
  if (!mtls) return {}
  const aliases = Object.entries(document).flatMap(([name, address]) =>
    name.endsWith('_endpoint') && !FOR_BROWSERS.includes(name)
      ? [[name, mtls.url + String(address).slice(url.length)] as const]
      : [],
  )
  return {
    tls_client_certificate_bound_access_tokens: true,
    ...(mtls.url ? { mtls_endpoint_aliases: Object.fromEntries(aliases) } : {}),
  }
}
