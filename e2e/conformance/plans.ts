/** A test plan of the OpenID Foundation's conformance suite, and its variant. */
export type Plan = {
  name: string
  variant: Record<string, string>
  /** The file in data/conformance with the configuration; defaults to `plans.json`. */
  config?: string
  /** Tests features that Vrata rejects by design, so the plan runs only when named. */
  optional?: true
}

const staticClient = { server_metadata: 'discovery', client_registration: 'static_client' }
const logout = { response_type: 'code', client_registration: 'static_client' }

/** In the order of docs/guides/conformance.md, which lists the results. */
export const PLANS: readonly Plan[] = [
  { name: 'oidcc-config-certification-test-plan', variant: {} },
  { name: 'oidcc-basic-certification-test-plan', variant: staticClient },
  { name: 'oidcc-basic-certification-test-plan', variant: { ...staticClient, client_registration: 'dynamic_client' } },
  { name: 'oidcc-formpost-basic-certification-test-plan', variant: staticClient },
  { name: 'oidcc-rp-initiated-logout-certification-test-plan', variant: logout },
  {
    name: 'oidcc-backchannel-rp-initiated-logout-certification-test-plan',
    variant: logout,
    config: 'backchannel-logout.json',
  },
  { name: 'oidcc-dynamic-certification-test-plan', variant: { response_type: 'code' }, optional: true },
  {
    name: 'fapi2-security-profile-final-test-plan',
    variant: {
      fapi_profile: 'plain_fapi',
      client_auth_type: 'private_key_jwt',
      sender_constrain: 'dpop',
      openid: 'openid_connect',
    },
    config: 'fapi2.json',
  },
]
