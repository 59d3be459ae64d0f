import { paths, security } from '@vrata/contract'
import type { ServedForm } from '../../http/pages/html-forms.ts'
import type { PlainStatement, ServedPlainPage } from '../../http/pages/plain-pages.ts'
import { type RouteHandler, serve, serveOpen } from '../../http/serve.ts'
import { plainVerifyForm, plainVerifyPage } from './email-verification/plain-verify.ts'
import { resendVerification, verifyEmail } from './email-verification/verify-email.ts'
import { confirmOtp, disableOtp, enableOtp } from './otp/otp.ts'
import { renewRecoveryCodes } from './otp/recovery-codes.ts'
import {
  addPasskey,
  dismissPasskeyOffer,
  listPasskeys,
  passkeyOptions,
  removePasskey,
  renamePasskey,
} from './passkeys/passkeys.ts'
import { changePassword } from './password.ts'

/** Calls of password, email confirmation, two-factor authentication and passkeys (api §3.3, §3.4, §3.5, §3.7). */
export const routes: RouteHandler[] = [
  serveOpen(security.changePassword, changePassword),
  serve(security.resendVerification, resendVerification),
  serve(security.verifyEmail, verifyEmail),
  serve(security.enableOtp, enableOtp),
  serveOpen(security.confirmOtp, confirmOtp),
  serveOpen(security.disableOtp, disableOtp),
  serve(security.renewRecoveryCodes, renewRecoveryCodes),
  serve(security.listPasskeys, listPasskeys),
  serve(security.passkeyOptions, passkeyOptions),
  serve(security.dismissPasskeyOffer, dismissPasskeyOffer),
  serveOpen(security.addPasskey, addPasskey),
  serve(security.renamePasskey, renamePasskey),
  serve(security.removePasskey, removePasskey),
]

/** Forms of the pages for browsers without script. */
export const forms: ServedForm[] = [
  {
    path: '/confirm-email/:token',
    served: serve(security.verifyEmail, verifyEmail),
    next: () => paths.plainEmailConfirmed,
  },
  plainVerifyForm,
]

export const plainPages: (ServedPlainPage | PlainStatement)[] = [
  plainVerifyPage,
  // After an address was confirmed without script. It names no address: the browser that opened the mail may be signed in to another account, or to none.
  {
    path: '/confirm-email/plain/confirmed',
    title: 'email-confirmation.confirm.done',
    text: 'email-confirmation.verify.confirmed',
    link: 'email-confirmation.confirm.continue',
    to: paths.home,
  },
]
