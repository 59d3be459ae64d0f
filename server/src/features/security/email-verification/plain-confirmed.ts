import { type Locale, paths } from '@vrata/contract'
import { translator } from '@vrata/phrases'
import escapeHtml from 'escape-html'
import type { PlainContent, PlainStatement } from '../../../http/pages/plain-pages.ts'

/**
 * The page after an address was confirmed without script. It names no address: the browser that opened the mail may be signed in to
 * another account, or to none.
 */
export const plainConfirmedPage: PlainStatement = { path: '/confirm-email/plain/confirmed', state }

function state(locale: Locale): PlainContent {
  const say = translator(locale)
  const text = escapeHtml(say('email-confirmation.verify.confirmed'))
  const link = escapeHtml(say('email-confirmation.confirm.continue'))
  return {
    title: say('email-confirmation.confirm.done'),
    html: `<p>${text}</p><p><a href="${paths.home}">${link}</a></p>`,
  }
}
