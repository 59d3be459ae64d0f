import { account, security } from '@vrata/contract'
import type { ServedForm } from '../../edge/forms.ts'
import { type Served, serve, serveOpen } from '../../edge/serve.ts'
import { confirmOtp, disableOtp, enableOtp } from './otp.ts'
import { addPasskey, listPasskeys, passkeyOptions, removePasskey, renamePasskey } from './passkeys.ts'
import { setPassword } from './password.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'
import { resendVerification, verifyEmail } from './verify-email.ts'

/**
 * What proves that somebody is who they say: the password and its rules, codes of authenticator apps, recovery codes,
 * passkeys, the links of mails, and the bounds of guessing. Owns the tables `one_time_tokens`, `throttles`, `otp_seeds`,
 * `recovery_codes`, `otp_tries`, `passkeys` and `passkey_challenges`.
 *
 * PUT /v1/account/password · POST /v1/account/verify-email · POST /v1/account/verify-email/{token}
 * PUT /v1/account/enable-otp · POST /v1/account/confirm-otp · PUT /v1/account/disable-otp
 * POST /v1/account/recovery-codes · GET, POST /v1/account/passkeys · POST /v1/account/passkeys/options
 * PATCH, DELETE /v1/account/passkeys/{id}
 */
export const routes: Served[] = [
  serveOpen(account.setPassword, setPassword),
  serve(account.resendVerification, resendVerification),
  serve(account.verifyEmail, verifyEmail),
  serve(security.enableOtp, enableOtp),
  serveOpen(security.confirmOtp, confirmOtp),
  serveOpen(security.disableOtp, disableOtp),
  serve(security.renewRecoveryCodes, renewRecoveryCodes),
  serve(security.listPasskeys, listPasskeys),
  serve(security.passkeyOptions, passkeyOptions),
  serveOpen(security.addPasskey, addPasskey),
  serve(security.renamePasskey, renamePasskey),
  serve(security.removePasskey, removePasskey),
]

/** The same for a browser without script: the pages' own forms. */
export const forms: ServedForm[] = [
  { path: '/confirm-email/:token', served: serve(account.verifyEmail, verifyEmail), next: () => '/home' },
]
