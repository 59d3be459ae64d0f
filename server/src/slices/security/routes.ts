import { account } from '@vrata/contract'
import type { ServedForm } from '../../edge/forms.ts'
import { type Served, serve, serveOpen } from '../../edge/serve.ts'
import { setPassword } from './password.ts'
import { resendVerification, verifyEmail } from './verify-email.ts'

/**
 * What proves that somebody is who they say: the password and its rules, the links of mails, and the bounds of guessing.
 * Owns the tables `one_time_tokens` and `throttles`.
 *
 * PUT /v1/account/password · POST /v1/account/verify-email · POST /v1/account/verify-email/{token}
 */
export const routes: Served[] = [
  serveOpen(account.setPassword, setPassword),
  serve(account.resendVerification, resendVerification),
  serve(account.verifyEmail, verifyEmail),
]

/** The same for a browser without script: the pages' own forms. */
export const forms: ServedForm[] = [
  { path: '/confirm-email/:token', served: serve(account.verifyEmail, verifyEmail), next: () => '/home' },
]
