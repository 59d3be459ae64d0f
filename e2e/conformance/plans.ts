import type { clients } from '@vrata/contract'

/** Signature algorithms of keys of apps: elliptic and RSA (FAPI 2.0 Security Profile §5.4.1). */
export type AppKeys = 'ES256' | 'PS256'

/** A test plan of the OpenID Foundation's conformance suite, with a variant and the apps that it uses. */
export type Plan = {
  /** Unique; the first column of docs/guides/conformance.md. */
  title: string
  name: string
  variant: Record<string, string>
  /** Advanced settings of its apps; `at` makes addresses of the suite. */
  settings?: (at: (path: string) => string) => Partial<clients.Advanced>
  /** Kind of the apps; defaults to `web`. */
  type?: clients.ClientType
  /** Whether the apps have keys of their own in place of a secret. */
  keys?: AppKeys
  /** Whether the apps have certificates (mutual TLS). */
  certificates?: boolean
  /** Whether tokens are for an API with a scope of the app, and not for userinfo. */
  api?: boolean
  /** Whether the apps send backchannel authentication requests (OpenID Connect CIBA). */
  ciba?: boolean
}

/** Runs a plan with either kind of Vrata's signing keys. */
function withBothKeys({ title, settings, ...plan }: Plan): Plan[] {
  return (['RS256', 'ES256'] as const).map((id_token_signed_response_alg) => ({
    title: `${title}, ${id_token_signed_response_alg}`,
    settings: (at) => ({ ...settings?.(at), id_token_signed_response_alg }),
    ...plan,
  }))
}

const staticClient = { server_metadata: 'discovery', client_registration: 'static_client' }
const dynamicClient = { server_metadata: 'discovery', client_registration: 'dynamic_client' }
const logout = { response_type: 'code', client_registration: 'static_client' }

type Fapi = Omit<Plan, 'title' | 'name' | 'keys'> & { title: string; name?: string }

/** Runs a FAPI 2.0 plan with either kind of the apps' keys. */
function fapi2({ title, variant, settings, ...plan }: Fapi): Plan[] {
  return (['PS256', 'ES256'] as const).map((keys) => ({
    title: `FAPI 2.0 ${title}, ${keys}`,
    name: 'fapi2-security-profile-final-test-plan',
    variant: { fapi_profile: 'plain_fapi', openid: 'openid_connect', ...dpop, ...variant },
    settings: (at) => ({
      security_profile: 'fapi2',
      // The suite warns of claims in ID tokens that a request has not named.
      id_token_claims: 'minimal',
      ...settings?.(at),
    }),
    ...plan,
    keys,
  }))
}

const dpop = { client_auth_type: 'private_key_jwt', sender_constrain: 'dpop' }
const boundByTls = { tls_client_certificate_bound_access_tokens: true } as const
const byCertificate = { token_endpoint_auth_method: 'self_signed_tls_client_auth' } as const
const messageSigning = {
  name: 'fapi2-message-signing-final-test-plan',
  settings: () => ({ require_signed_request_object: true }),
}

/** FAPI-CIBA with either way to learn of the answer. RSA keys, because some modules try RS256 with them. */
function fapiCiba(title: string, client_auth_type: string, settings: Partial<clients.Advanced>): Plan[] {
  return (['poll', 'ping'] as const).map((mode) => ({
    title: `FAPI-CIBA OP, ${mode}, ${title}`,
    name: 'fapi-ciba-id1-test-plan',
    variant: {
      client_auth_type,
      ciba_mode: mode,
      fapi_ciba_profile: 'plain_fapi',
      client_registration: 'static_client',
    },
    settings: (at) => ({
      backchannel_token_delivery_mode: mode,
      backchannel_authentication_request_signing_alg: 'PS256',
      ...(mode === 'ping' && { backchannel_client_notification_endpoint: at('ciba-notification-endpoint') }),
      // FAPI-CIBA builds on FAPI 1.0, which binds tokens to certificates and excludes RS256.
      ...boundByTls,
      id_token_signed_response_alg: 'ES256',
      ...settings,
    }),
    keys: 'PS256',
    certificates: true,
    ciba: true,
  }))
}

/** In the order of docs/guides/conformance.md, which lists the results. */
export const PLANS: readonly Plan[] = [
  { title: 'Config OP', name: 'oidcc-config-certification-test-plan', variant: {} },
  ...withBothKeys({
    title: 'Basic OP, static client',
    name: 'oidcc-basic-certification-test-plan',
    variant: staticClient,
  }),
  {
    title: 'Basic OP, dynamically registered client',
    name: 'oidcc-basic-certification-test-plan',
    variant: dynamicClient,
  },
  ...withBothKeys({
    title: 'Form Post Basic OP, static client',
    name: 'oidcc-formpost-basic-certification-test-plan',
    variant: staticClient,
  }),
  { title: 'Dynamic OP', name: 'oidcc-dynamic-certification-test-plan', variant: { response_type: 'code' } },
  {
    title: '3rd Party-Init OP',
    name: 'oidcc-3rdparty-init-login-certification-test-plan',
    variant: { response_type: 'code' },
  },
  ...withBothKeys({
    title: 'RP-Initiated Logout OP',
    name: 'oidcc-rp-initiated-logout-certification-test-plan',
    variant: logout,
  }),
  ...withBothKeys({
    title: 'Back-Channel RP-Initiated Logout OP',
    name: 'oidcc-backchannel-rp-initiated-logout-certification-test-plan',
    variant: logout,
    // The suite fails a plan that receives a logout token it does not expect, so only this one has the address.
    settings: (at) => ({ backchannel_logout_uri: at('backchannel_logout') }),
  }),
  ...withBothKeys({
    title: 'Front-Channel RP-Initiated Logout OP',
    name: 'oidcc-frontchannel-rp-initiated-logout-certification-test-plan',
    variant: logout,
    settings: (at) => ({
      frontchannel_logout_uri: at('frontchannel_logout'),
      frontchannel_logout_session_required: true,
    }),
  }),
  ...fapi2({ title: 'Security Profile OP, private key and DPoP, OpenID Connect', variant: {} }),
  ...fapi2({
    title: 'Security Profile OP, private key and DPoP, plain OAuth',
    variant: { openid: 'plain_oauth' },
    api: true,
  }),
  ...fapi2({
    title: 'Security Profile OP, private key and DPoP, client credentials',
    variant: { openid: 'plain_oauth', fapi_profile: 'fapi_client_credentials_grant' },
    type: 'service',
    api: true,
  }),
  ...fapi2({
    title: 'Security Profile OP, private key and mutual TLS',
    variant: { sender_constrain: 'mtls' },
    settings: () => boundByTls,
    certificates: true,
  }),
  ...fapi2({
    title: 'Security Profile OP, mutual TLS and DPoP',
    variant: { client_auth_type: 'mtls' },
    settings: () => byCertificate,
    certificates: true,
  }),
  ...fapi2({
    title: 'Security Profile OP, mutual TLS and mutual TLS',
    variant: { client_auth_type: 'mtls', sender_constrain: 'mtls' },
    settings: () => ({ ...byCertificate, ...boundByTls }),
    certificates: true,
  }),
  ...fapi2({
    title: 'Message Signing OP, signed requests',
    variant: { fapi_request_method: 'signed_non_repudiation', fapi_response_mode: 'plain_response' },
    ...messageSigning,
  }),
  ...fapi2({
    title: 'Message Signing OP, signed requests and responses',
    variant: { fapi_request_method: 'signed_non_repudiation', fapi_response_mode: 'jarm' },
    ...messageSigning,
  }),
  ...fapiCiba('private key', 'private_key_jwt', { token_endpoint_auth_signing_alg: 'PS256' }),
  ...fapiCiba('mutual TLS', 'mtls', byCertificate),
]
