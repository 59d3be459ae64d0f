import { account, isProblemCode, type Locale, type ProblemCode, paths, safeRedirect, security } from '@vrata/contract'
import { problemKey, translator } from '@vrata/phrases'
import escapeHtml from 'escape-html'
import type { ServedForm } from '../../../http/pages/html-forms.ts'
import type { PlainContent, ServedPlainPage } from '../../../http/pages/plain-pages.ts'
import { serve } from '../../../http/serve.ts'
import { getAccount } from '../../account/public.ts'
import { resendVerification } from './verify-email.ts'

const PATH = '/verify/plain'

/** The page that waits for the confirmation of an address without script (`paths.plainVerify`). */
export const plainVerifyPage: ServedPlainPage = {
  path: PATH,
  served: serve(account.getAccount, getAccount),
  afterSignIn: ({ redirect }) => paths.verify(safeRedirect(redirect)),
  show: (locale, answer, given) => waiting(locale, answer as account.UserInfo, given),
  fail: (locale, problem) => ({ title: translator(locale)('ui.error.heading'), html: alert(locale, problem) }),
}

/** Sends the mail again. */
export const plainVerifyForm: ServedForm = {
  path: PATH,
  served: serve(security.resendVerification, resendVerification),
  next: (redirect) => paths.plainVerify(redirect, true),
}

function waiting(locale: Locale, user: account.UserInfo, given: Record<string, string>): PlainContent {
  const say = translator(locale)
  const text = (sentence: string) => `<p>${escapeHtml(sentence)}</p>`
  const redirect = safeRedirect(given.redirect)
  const link = (words: string) => `<p><a href="${escapeHtml(redirect ?? paths.home)}">${escapeHtml(words)}</a></p>`
  const email = user.pending_email ?? user.email
  if (user.email_verified && !user.pending_email)
    return {
      title: say('email-confirmation.confirm.done'),
      html:
        text(say('email-confirmation.confirm.done_text', { email })) + link(say('email-confirmation.confirm.continue')),
    }
  return {
    title: say('email-confirmation.verify.title'),
    html: `${given.problem ? alert(locale, isProblemCode(given.problem) ? given.problem : 'internal') : ''}${given.sent ? `<p role="status">${escapeHtml(say('email-confirmation.verify.resent'))}</p>` : ''}
${text(say('email-confirmation.verify.text', { email }))}
${link(say('email-confirmation.verify.done'))}
${text(say('email-confirmation.verify.hint'))}
${user.email_verified ? '' : text(say('email-confirmation.verify.deletion'))}
<form method="post" action="${escapeHtml(paths.plainVerify(redirect))}"><button>${escapeHtml(say('email-confirmation.verify.resend'))}</button></form>`,
  }
}

function alert(locale: Locale, problem: ProblemCode): string {
  return `<p role="alert">${escapeHtml(translator(locale)(problemKey(problem)))}</p>`
}
