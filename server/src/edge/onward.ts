import type { Locale } from '@vrata/contract'
import { translator } from '@vrata/phrases'
import type { FastifyReply } from 'fastify'

/** Addresses from which an app's sign-in goes on, at times straight to the app. */
const TO_AN_APP = /^\/(?:oauth|authorize)(?:[/?]|$)/

/** Whether a browser that is sent there may end at an app's own address. */
export function leadsToAnApp(path: string): boolean {
  return TO_AN_APP.test(path)
}

/**
 * A page that goes on by itself. Browsers apply `form-action` to every redirect that follows a form, so a redirect would
 * end at our door; what a page of its own leads to is no form's answer any more, and the policy stays closed.
 */
export function sendOnward(reply: FastifyReply, locale: Locale, path: string): FastifyReply {
  const say = translator(locale)
  const url = path.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  return reply
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark">` +
        `<meta name="viewport" content="width=device-width,initial-scale=1"><meta http-equiv="refresh" content="0;url=${url}">` +
        `<title>${say('auth.onward.title')}</title></head><body><main><h1>${say('auth.onward.title')}</h1>` +
        `<p><a href="${url}">${say('auth.onward.go')}</a></p></main></body></html>`,
    )
}
