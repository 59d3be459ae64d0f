import type { branding, Locale } from '@vrata/contract'
import { translator } from '@vrata/phrases'
import escapeHtml from 'escape-html'
import type { FastifyReply } from 'fastify'
import { plainPage, plainPagePolicy } from './plain-page.ts'

/** Paths that continue the interaction of a client and may redirect to it. */
const TO_AN_APP = /^\/(?:oauth|authorize)(?:[/?]|$)/

/** Whether a redirect to this path may end at a redirect URI of a client. */
export function mayRedirectToClient(path: string): boolean {
  return TO_AN_APP.test(path)
}

/**
 * Sends a page that refreshes to the path. Browsers apply `form-action` to all redirects after a form submission, so a
 * redirect to a client would be blocked; a navigation of this page is not a form submission.
 */
export function sendClientRedirectPage(
  reply: FastifyReply,
  { locale, look }: { locale: Locale; look: branding.PublicBranding },
  path: string,
): FastifyReply {
  const say = translator(locale)
  const url = escapeHtml(path)
  return reply
    .header('cache-control', 'no-store')
    .header('content-security-policy', plainPagePolicy({ look }))
    .type('text/html; charset=utf-8')
    .send(
      plainPage(
        { locale, look },
        say('plain-pages.continue.title'),
        `<p><a href="${url}">${say('plain-pages.continue.do')}</a></p>`,
        `<meta http-equiv="refresh" content="0;url=${url}">`,
      ),
    )
}
