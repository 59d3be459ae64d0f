import { z } from 'zod'
import * as f from '../http/fields.ts'
import { route } from '../http/route.ts'
import { LIMITS } from '../limits.ts'
import { NEXT_STEPS } from '../policy/next-steps.ts'
import { creationOptions, newPasskey } from './passkeys.ts'

export const changePassword = route('PUT', '/account/password', {
  summary: 'Change the password; all other sessions end.',
  needs: 'session',
  body: z.object({ current_password: f.password, new_password: f.newPassword }),
  data: f.nothing,
  problems: ['invalid_password', 'password_too_short', 'password_breached', 'password_is_email', 'password_guessable'],
})

export const resendVerification = route('POST', '/account/verify-email', {
  summary: 'Mail the confirmation link again, to the pending address if there is one.',
  needs: 'session',
  during: NEXT_STEPS,
  data: f.nothing,
  problems: ['already_confirmed'],
})

export const verifyEmail = route('POST', '/account/verify-email/:token', {
  summary: 'Confirm an email address with the token of the mail. Needs no session.',
  needs: 'nobody',
  params: z.object({ token: z.string().max(200) }),
  data: z.object({ email: z.string() }),
  problems: ['invalid_token', 'email_exists'],
})

/** The ten codes in plain text; only their hashes are stored. */
const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

export const enableOtp = route('PUT', '/account/enable-otp', {
  summary: 'Create a secret for an authenticator app. Two-factor authentication is on once a code of it is confirmed.',
  needs: 'session',
  during: ['second_factor_setup'],
  fresh: true,
  data: z.object({
    secret: z.string().meta({ description: 'base32' }),
    otpauth_url: z.string(),
    qr_code: z.string().meta({ description: 'SVG data URL' }),
  }),
  problems: ['email_not_verified', 'otp_already_on'],
})

export const confirmOtp = route('POST', '/account/confirm-otp', {
  summary: 'Turn two-factor authentication on with a first code; all other sessions end. Returns the recovery codes.',
  needs: 'session',
  during: ['second_factor_setup'],
  fresh: true,
  body: z.object({ otp_token: f.otpToken }),
  data: recoveryCodes,
  problems: ['email_not_verified', 'invalid_otp', 'otp_already_on', 'otp_setup_expired'],
})

export const disableOtp = route('PUT', '/account/disable-otp', {
  summary: 'Turn two-factor authentication off with a code of the app or a recovery code; all other sessions end.',
  needs: 'session',
  // The code in the body replaces reauthentication (api §2.7).
  body: f.exactlyOne({ otp_token: f.otpToken, recovery_code: f.recoveryCode }),
  data: f.nothing,
  problems: ['invalid_otp', 'otp_not_on', 'second_factor_required'],
})

export const renewRecoveryCodes = route('POST', '/account/recovery-codes', {
  summary: 'Create ten new recovery codes; the old ones become invalid, and all other sessions end.',
  needs: 'session',
  fresh: true,
  data: recoveryCodes,
  problems: ['otp_not_on'],
})

export const passkey = z.object({
  id: f.id,
  name: z.string(),
  created_at: f.time,
  last_used_at: f.time.nullable(),
  /** Synced across devices by a passkey provider; false for a device-bound passkey. */
  synced: z.boolean(),
})
export type PasskeyInfo = z.output<typeof passkey>

export const listPasskeys = route('GET', '/account/passkeys', {
  summary: 'List the passkeys of the user, the oldest first.',
  needs: 'session',
  data: z.array(passkey),
})

export const passkeyOptions = route('POST', '/account/passkeys/options', {
  summary: 'Create WebAuthn creation options for a new passkey.',
  needs: 'session',
  during: ['second_factor_setup'],
  fresh: true,
  data: creationOptions,
  problems: ['email_not_verified', 'too_many_passkeys'],
})

export const dismissPasskeyOffer = route('POST', '/account/passkeys/offered', {
  summary: 'Record that a passkey was offered after a sign-in, so that it is not offered again.',
  needs: 'session',
  data: f.nothing,
})

const passkeyName = f.line(LIMITS.passkey_name_max, 1)

export const addPasskey = route('POST', '/account/passkeys', {
  summary: 'Register a passkey that the browser has created.',
  needs: 'session',
  during: ['second_factor_setup'],
  fresh: true,
  status: 201,
  body: z.object({ name: passkeyName, response: newPasskey }),
  data: passkey,
  problems: ['email_not_verified', 'invalid_passkey', 'passkey_exists', 'too_many_passkeys'],
})

export const renamePasskey = route('PATCH', '/account/passkeys/:id', {
  summary: 'Rename a passkey of the user.',
  needs: 'session',
  fresh: true,
  params: z.object({ id: f.id }),
  body: z.object({ name: passkeyName }),
  data: passkey,
  problems: ['not_found'],
})

export const removePasskey = route('DELETE', '/account/passkeys/:id', {
  summary:
    'Remove a passkey of the user; it no longer signs in. 409 `last_passkey` for the last one while the policy has turned off passwords.',
  needs: 'session',
  fresh: true,
  params: z.object({ id: f.id }),
  data: f.nothing,
  problems: ['not_found', 'second_factor_required', 'last_passkey'],
})
