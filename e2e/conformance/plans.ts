/** A plan of the OpenID Foundation's suite, and the variant in which we run it. */
export type Plan = {
  name: string
  variant: Record<string, string>
  /** Which of the files in data/conformance describes our side; `plans.json` unless said. */
  config?: string
  /** Asks for what our rules exclude, so it is run only when named. */
  beyond?: true
}

const known = { server_metadata: 'discovery', client_registration: 'static_client' }
const leaving = { response_type: 'code', client_registration: 'static_client' }

/** In the order of docs/guides/conformance.md, which tells what came of them. */
export const PLANS: readonly Plan[] = [
  { name: 'oidcc-config-certification-test-plan', variant: {} },
  { name: 'oidcc-basic-certification-test-plan', variant: known },
  { name: 'oidcc-basic-certification-test-plan', variant: { ...known, client_registration: 'dynamic_client' } },
  { name: 'oidcc-formpost-basic-certification-test-plan', variant: known },
  { name: 'oidcc-rp-initiated-logout-certification-test-plan', variant: leaving },
  {
    name: 'oidcc-backchannel-rp-initiated-logout-certification-test-plan',
    variant: leaving,
    config: 'backchannel-logout.json',
  },
  { name: 'oidcc-dynamic-certification-test-plan', variant: { response_type: 'code' }, beyond: true },
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
