import { type Locale, paths } from '@vrata/contract'
import { translator } from '@vrata/phrases'
import escapeHtml from 'escape-html'
import type { PlainContent, PlainStatement } from '../../http/pages/plain-pages.ts'

/** The page after a mailed link has set the password without script. */
export const plainPasswordChangedPage: PlainStatement = { path: '/change-password/plain/changed', state }

function state(locale: Locale): PlainContent {
  const say = translator(locale)
  const text = escapeHtml(say('plain-pages.password.text'))
  const link = escapeHtml(say('sign-in.signin.title'))
  return {
    title: say('security.password.done'),
    html: `<p>${text}</p><p><a href="${paths.loginUnasked()}">${link}</a></p>`,
  }
}
