import { type DataOf, invitationIn, otpOrRecoveryCode, paths, safeRedirect, signIn } from '@vrata/contract'
import type { ServedForm } from '../../http/pages/html-forms.ts'
import type { PlainStatement } from '../../http/pages/plain-pages.ts'
import { type RouteHandler, serve, serveOpen } from '../../http/serve.ts'
import { checkPasswordLink, forgotPassword, resetPassword } from './forgot-password.ts'
import { listKnownAccounts, removeKnownAccount } from './known-accounts.ts'
import { login, register } from './login.ts'
import { loginOtp } from './login-otp.ts'
import { acceptTerms } from './next-step.ts'
import { passkeyLogin, passkeyLoginOptions } from './passkey-login.ts'
import { answerQrCode, createQrCode, getQrCode } from './qr-code/qr-code.ts'

/** Calls of registration, sign-in, forgotten passwords and QR codes (api §2). */
export const routes: RouteHandler[] = [
  serveOpen(signIn.register, register),
  serveOpen(signIn.login, login),
  serveOpen(signIn.loginOtp, loginOtp),
  serve(signIn.passkeyLoginOptions, passkeyLoginOptions),
  serveOpen(signIn.passkeyLogin, passkeyLogin),
  serveOpen(signIn.createQrCode, createQrCode),
  serveOpen(signIn.getQrCode, getQrCode),
  serveOpen(signIn.answerQrCode, answerQrCode),
  serve(signIn.acceptTerms, acceptTerms),
  serve(signIn.listKnownAccounts, listKnownAccounts),
  serve(signIn.removeKnownAccount, removeKnownAccount),
  serve(signIn.forgotPassword, forgotPassword),
  serve(signIn.checkPasswordLink, checkPasswordLink),
  serveOpen(signIn.resetPassword, resetPassword),
]

/** The address of its page names the sign-in. */
const secondStep = {
  served: serveOpen(signIn.loginOtp, loginOtp),
  bodyOf: (fields, { sign_in }) => ({ ...fields, sign_in: sign_in ?? '' }),
  next: afterCode,
} satisfies Omit<ServedForm, 'path'>

/** Forms of the pages for browsers without script. */
export const forms: ServedForm[] = [
  { path: '/login', served: serveOpen(signIn.login, login), next: keepPrompt(afterPassword) },
  { path: '/login', field: 'otp_token', ...secondStep },
  { path: '/login', field: 'recovery_code', ...secondStep },
  // Links of the prerendered page would lose `redirect`, which the page does not know without script.
  { path: '/login', field: 'to_signin', next: keepPrompt(paths.login) },
  { path: '/login', field: 'to_signup', next: keepPrompt(paths.signUp) },
  { path: '/login', field: 'to_forgot', next: keepPrompt(paths.forgotPassword) },
  // Before the form of registration, which has the field `email`, too.
  {
    path: '/login',
    field: 'forgot',
    served: serve(signIn.forgotPassword, forgotPassword),
    next: keepPrompt(paths.passwordLinkSent),
  },
  {
    path: '/login',
    field: 'email',
    served: serveOpen(signIn.register, register),
    bodyOf: (fields, { redirect }) => ({ ...fields, invitation: invitationIn(safeRedirect(redirect)) ?? '' }),
    next: (redirect) => paths.verify(redirect),
  },
  { path: '/finish-sign-in', served: serve(signIn.acceptTerms, acceptTerms), next: afterCode },
  {
    path: '/change-password/:token',
    served: serveOpen(signIn.resetPassword, resetPassword),
    bodyOf: ({ code, ...fields }) => ({ ...fields, ...(typeof code === 'string' && code && otpOrRecoveryCode(code)) }),
    next: () => paths.plainPasswordChanged,
  },
]

export const plainPages: PlainStatement[] = [
  // After a mailed link has set the password without script.
  {
    path: '/change-password/plain/changed',
    title: 'security.password.done',
    text: 'plain-pages.password.text',
    link: 'sign-in.signin.title',
    to: paths.loginUnasked(),
  },
]

/** A further step of the login page has its `prompt`: without it, a user who is signed in is sent on (`sessionGuard`). */
function keepPrompt(next: (redirect: string | undefined, answer: unknown) => string): ServedForm['next'] {
  return (redirect, answer, _, { prompt }) => {
    const address = next(redirect, answer)
    const [path, search] = address.split('?')
    if (path !== '/login' || prompt !== 'login') return address
    return search ? `${address}&prompt=login` : paths.loginAnew
  }
}

/** The query parameter `otp` makes the login page ask for the second factor. */
function afterPassword(redirect: string | undefined, answer: unknown): string {
  const done = answer as DataOf<typeof signIn.login>
  return done.next === 'otp' ? paths.loginSecondFactor(done.sign_in, redirect) : afterCode(redirect)
}

function afterCode(redirect: string | undefined): string {
  return redirect ?? '/'
}
