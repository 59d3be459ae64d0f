import { LOCALES } from '@vrata/contract'
import type { FastifyInstance } from 'fastify'
import type { Mail, MailTemplate } from '../../adapters/mail/mail.ts'
import { type MailBranding, renderMail } from '../../adapters/mail/templates/render.ts'
import { samples } from '../../adapters/mail/templates/samples.ts'
import { isLoopbackRequest, isLoopbackUrl } from '../../lib/loopback.ts'
import { STYLE, STYLE_HASH } from './mailbox.ts'

/** `GET /mailbox/templates`: previews of every mail in every language, for requests from this machine only. */
export function mountMailPreviews(app: FastifyInstance, url: string, branding: { now(): MailBranding }): void {
  if (!isLoopbackUrl(url)) return
  const headers = (styles: string) => ({
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src ${styles}; base-uri 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  const html = 'text/html; charset=utf-8'

  app.get('/mailbox/templates', async (request, reply) => {
    if (!isLoopbackRequest(request)) return reply.callNotFound()
    const rows = Object.keys(samples(url, new Date())).map((name) => {
      const links = LOCALES.map((locale) => `<a href="/mailbox/templates/${name}/${locale}">${locale}</a>`)
      return `<article><h2>${name}</h2><p>${links.join(' · ')}</p></article>`
    })
    const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Emails</title><style>${STYLE}</style></head><body><main><h1>Emails</h1><p>Every email in every language, with sample values. This page is available on this machine only.</p>${rows.join('')}</main></body></html>`
    return reply.headers(headers(STYLE_HASH)).type(html).send(page)
  })

  app.get<{ Params: Record<'template' | 'locale', string> }>(
    '/mailbox/templates/:template/:locale',
    async (request, reply) => {
      const known = samples(url, new Date())
      const { template } = request.params
      const locale = LOCALES.find((one) => one === request.params.locale)
      if (!isLoopbackRequest(request) || !locale || !Object.hasOwn(known, template)) return reply.callNotFound()
      const mail = { to: 'ana@example.com', locale, template, values: known[template as MailTemplate] } as Mail
      // Mails use inline styles.
      return reply
        .headers(headers("'unsafe-inline'"))
        .type(html)
        .send(renderMail(mail, url, branding.now()).html)
    },
  )
}
