import { auth, type DataOf, qr } from '@vrata/contract'
import type { ServedForm } from '../../edge/forms.ts'
import { type Served, serve, serveOpen } from '../../edge/serve.ts'
import { checkPasswordLink, forgotPassword, resetPassword } from './forgot-password.ts'
import { forgetKnownAccount, listKnownAccounts } from './known-accounts.ts'
import { passkeyLogin, passkeyLoginOptions } from './passkey-sign-in.ts'
import { answerQrCode, drawQrCode, readQrCode } from './qr-sign-in.ts'
import { reauthenticate, reauthenticateOptions } from './reauthenticate.ts'
import { refresh } from './refresh.ts'
import { loginOtp } from './second-step.ts'
import { knowSession, listSessions, logout, logoutAll, logoutSession } from './sessions.ts'
import { login, register } from './sign-in.ts'

/**
 * Coming in and going out: registration, sign-in, the sessions and their two cookies, forgotten passwords (api.md §2).
 * Owns the tables `sessions`, `known_devices`, `pending_sign_ins` and `qr_codes`.
 *
 * POST /v1/auth/register · POST /v1/auth/login · POST /v1/auth/login/otp · POST /v1/auth/passkey/options
 * GET /v1/auth/qr-code · GET, POST /v1/auth/qr-code/{code}
 * POST /v1/auth/passkey · PUT /v1/auth/refresh · POST /v1/auth/reauthenticate · POST /v1/auth/reauthenticate/options
 * POST /v1/auth/logout · PUT /v1/auth/logout/{id} · PUT /v1/auth/logout-all · GET /v1/auth/sessions
 * PUT /v1/auth/sessions/{id}/known · GET /v1/auth/known-accounts · DELETE /v1/auth/known-accounts/{id}
 * POST, PUT /v1/auth/forgot-password · GET /v1/auth/forgot-password/{token}
 */
export const routes: Served[] = [
  serveOpen(auth.register, register),
  serveOpen(auth.login, login),
  serveOpen(auth.loginOtp, loginOtp),
  serve(auth.passkeyLoginOptions, passkeyLoginOptions),
  serveOpen(auth.passkeyLogin, passkeyLogin),
  serveOpen(qr.drawQrCode, drawQrCode),
  serveOpen(qr.readQrCode, readQrCode),
  serveOpen(qr.answerQrCode, answerQrCode),
  serveOpen(auth.refresh, refresh),
  serveOpen(auth.reauthenticate, reauthenticate),
  serve(auth.reauthenticateOptions, reauthenticateOptions),
  serve(auth.logout, logout),
  serve(auth.logoutSession, logoutSession),
  serve(auth.logoutAll, logoutAll),
  serve(auth.listSessions, listSessions),
  serve(auth.knowSession, knowSession),
  serve(auth.listKnownAccounts, listKnownAccounts),
  serve(auth.forgetKnownAccount, forgetKnownAccount),
  serve(auth.forgotPassword, forgotPassword),
  serve(auth.checkPasswordLink, checkPasswordLink),
  serveOpen(auth.resetPassword, resetPassword),
]

/** The same for a browser without script: the pages' own forms. */
export const forms: ServedForm[] = [
  { path: '/login', served: serveOpen(auth.login, login), next: afterPassword },
  { path: '/login', field: 'otp_token', served: serveOpen(auth.loginOtp, loginOtp), next: afterCode },
  { path: '/login', field: 'recovery_code', served: serveOpen(auth.loginOtp, loginOtp), next: afterCode },
  {
    path: '/login',
    field: 'email',
    served: serveOpen(auth.register, register),
    next: (redirect) => (redirect ? `/verify?${new URLSearchParams({ redirect })}` : '/verify'),
  },
  {
    path: '/change-password/:token',
    served: serveOpen(auth.resetPassword, resetPassword),
    next: () => '/login?skip=true',
  },
  { path: '/logout', served: serve(auth.logout, logout), next: () => '/login?skip=true' },
]

/** The same page asks for the second step, and knows by its address that it has to. */
function afterPassword(redirect: string | undefined, answer: unknown): string {
  const { next } = answer as DataOf<typeof auth.login>
  if (next === 'done') return afterCode(redirect)
  return `/login?${new URLSearchParams({ otp: 'true', ...(redirect ? { redirect } : {}) })}`
}

function afterCode(redirect: string | undefined): string {
  return redirect ?? '/'
}
