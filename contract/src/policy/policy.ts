import type { Policy, PublicPolicy } from '../calls/policy.ts'
import { DEFAULT_QUOTAS } from '../quotas.ts'

/** The policy of an installation that has set none: each setting has this value until an operator changes it (operators §8). */
export const DEFAULT_POLICY: Policy = {
  registration: 'open',
  registration_domains: [],
  organization_creation: 'anyone',
  app_creation: 'members',
  password_sign_in: true,
  passkey_sign_in: true,
  qr_sign_in: true,
  second_factor: 'optional',
  terms_url: null,
  privacy_url: null,
  terms_version: null,
  password_min_length: 12,
  session_idle_days: 30,
  session_max_days: 90,
  activity_days: null,
  audit_days: 400,
  limits: DEFAULT_QUOTAS,
}

/** Whether the policy lets a person have this address who brings no invitation of an operator. */
export function isAddressAllowed(
  { registration, registration_domains }: Pick<Policy, 'registration' | 'registration_domains'>,
  email: string,
): boolean {
  return registration !== 'domains' || registration_domains.includes(email.slice(email.lastIndexOf('@') + 1))
}

/**
 * Whether a person without passkeys needs a mailed link to set one up, because no password signs them in. Without passkeys in the policy a
 * forgotten password is the way in.
 */
export function needsPasskeyLink(
  { password_sign_in, passkey_sign_in }: Pick<Policy, 'password_sign_in' | 'passkey_sign_in'>,
  hasPassword: boolean,
): boolean {
  return passkey_sign_in && !(password_sign_in && hasPassword)
}

/** The token of the invitation to which a page address leads. */
export function invitationIn(redirect: string | undefined): string | undefined {
  return /^\/accept-invitation\/([\w-]{1,200})$/.exec(redirect ?? '')?.[1]
}

/** Parts of the sign-in page that the policy leaves out, for `data-off` of the document: what its style sheet hides. */
export function hiddenParts(
  {
    registration,
    password_sign_in,
    passkey_sign_in,
  }: Pick<PublicPolicy, 'registration' | 'password_sign_in' | 'passkey_sign_in'>,
  redirect: string | undefined,
): string {
  const invited = registration === 'invited' && invitationIn(redirect) !== undefined
  const parts = {
    password: password_sign_in,
    passkey: passkey_sign_in,
    register: password_sign_in && (registration === 'open' || registration === 'domains' || invited),
  }
  return Object.entries(parts)
    .flatMap(([part, shown]) => (shown ? [] : [part]))
    .join(' ')
}
