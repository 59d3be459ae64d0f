import type { branding, Locale, ProblemCode } from '@vrata/contract'
import { problemKey, translator } from '@vrata/phrases'
import escapeHtml from 'escape-html'
import { plainPage, plainPagePolicy } from '../../http/pages/plain-page.ts'

/** Errors that the user can resolve by waiting; all others concern the developers of the app. */
const LATER: readonly ProblemCode[] = ['too_many_requests', 'unavailable', 'internal']

/** The page at the address of a request that failed before it was known what it asks for; the user can reload it. */
export function failurePage(
  around: { locale: Locale; look: branding.PublicBranding },
  code: ProblemCode,
): { html: string; policy: string } {
  const say = translator(around.locale)
  const later = LATER.includes(code)
  const title = say(later ? 'connections.error.server_error.title' : 'connections.error.invalid_request.title')
  const text = say(later ? problemKey(code) : 'connections.error.invalid_request.text')
  return {
    html: plainPage(around, title, `<p>${escapeHtml(text)}</p>`),
    policy: plainPagePolicy({ look: around.look }),
  }
}
