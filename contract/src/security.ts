import { z } from 'zod'
import * as f from './fields.ts'
import { LIMITS } from './limits.ts'
import { creationOptions, newPasskey } from './passkeys.ts'
import { route } from './route.ts'

/** The ten codes, shown once: only their hashes are kept. */
const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

export const enableOtp = route('PUT', '/account/enable-otp', {
  summary:
    'Begin two-factor authentication: a secret for an authenticator app. On only once a code of it is confirmed.',
  needs: 'session',
  fresh: true,
  data: z.object({
    secret: z.string().meta({ description: 'base32' }),
    otpauth_url: z.string(),
    qr_code: z.string().meta({ description: 'SVG data URL' }),
  }),
  problems: ['otp_already_on'],
})

export const confirmOtp = route('POST', '/account/confirm-otp', {
  summary: 'Turn two-factor authentication on with a first code; all other sessions end. Answers the recovery codes.',
  needs: 'session',
  fresh: true,
  body: z.object({ otp_token: f.otpToken }),
  data: recoveryCodes,
  problems: ['invalid_otp', 'otp_already_on', 'otp_setup_expired'],
})

export const disableOtp = route('PUT', '/account/disable-otp', {
  summary: 'Turn two-factor authentication off, with a code of the app or a recovery code; all other sessions end.',
  needs: 'session',
  // The code in the body is its own proof.
  body: f.exactlyOne({ otp_token: f.otpToken, recovery_code: f.recoveryCode }),
  data: f.nothing,
  problems: ['invalid_otp', 'otp_not_on'],
})

export const renewRecoveryCodes = route('POST', '/account/recovery-codes', {
  summary: 'Ten new recovery codes; the old ones are void.',
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
  /** Kept by a provider and there on all of the person's devices, and not bound to a single one. */
  synced: z.boolean(),
})
export type PasskeyInfo = z.output<typeof passkey>

export const listPasskeys = route('GET', '/account/passkeys', {
  summary: 'My passkeys, the oldest first.',
  needs: 'session',
  data: z.array(passkey),
})

export const passkeyOptions = route('POST', '/account/passkeys/options', {
  summary: 'What the browser needs to make a passkey.',
  needs: 'session',
  fresh: true,
  data: creationOptions,
  problems: ['too_many_passkeys'],
})

const passkeyName = f.line(LIMITS.passkey_name_max, 1)

export const addPasskey = route('POST', '/account/passkeys', {
  summary: 'Keep a passkey that the browser has made.',
  needs: 'session',
  fresh: true,
  status: 201,
  body: z.object({ name: passkeyName, response: newPasskey }),
  data: passkey,
  problems: ['invalid_passkey', 'passkey_exists', 'too_many_passkeys'],
})

export const renamePasskey = route('PATCH', '/account/passkeys/:id', {
  summary: 'Rename a passkey of mine.',
  needs: 'session',
  fresh: true,
  params: z.object({ id: f.id }),
  body: z.object({ name: passkeyName }),
  data: passkey,
  problems: ['not_found'],
})

export const removePasskey = route('DELETE', '/account/passkeys/:id', {
  summary: 'Remove a passkey of mine; it opens nothing any more.',
  needs: 'session',
  fresh: true,
  params: z.object({ id: f.id }),
  data: f.nothing,
  problems: ['not_found'],
})
