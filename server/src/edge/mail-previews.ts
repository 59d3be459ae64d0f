import { LOCALES } from '@vrata/contract'
import type { FastifyInstance } from 'fastify'
import type { Mail, MailTemplate } from '../ports/mail/mail.ts'
import { renderMail } from '../ports/mail/templates/render.ts'
import { samples } from '../ports/mail/templates/samples.ts'
import { fromThisMachine } from './this-machine.ts'

/** `GET /mailbox/templates`: every mail in every language, for whoever sits at this machine and writes them. */
export function mountMailPreviews(app: FastifyInstance, url: string): void {
  const headers = (styles: string) => ({
    'cache-control': 'no-store',
    'content-security-policy': `default-src 'none'; style-src ${styles}; base-uri 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  const html = 'text/html; charset=utf-8'

  app.get('/mailbox/templates', async (request, reply) => {
    if (!fromThisMachine(request)) return reply.callNotFound()
    const rows = Object.keys(samples(url, new Date())).map((name) => {
      const links = LOCALES.map((locale) => `<a href="/mailbox/templates/${name}/${locale}">${locale}</a>`)
      return `<li>${name}: ${links.join(' · ')}</li>`
    })
    const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mails</title></head><body><h1>Mails</h1><ul>${rows.join('')}</ul></body></html>`
    return reply.headers(headers("'none'")).type(html).send(page)
  })

  app.get<{ Params: Record<'template' | 'locale', string> }>(
    '/mailbox/templates/:template/:locale',
    async (request, reply) => {
      const known = samples(url, new Date())
      const { template } = request.params
      const locale = LOCALES.find((one) => one === request.params.locale)
      if (!fromThisMachine(request) || !locale || !Object.hasOwn(known, template)) return reply.callNotFound()
      const mail = { to: 'ana@example.com', locale, template, values: known[template as MailTemplate] } as Mail
      // A mail's styles stand on its elements.
      return reply.headers(headers("'unsafe-inline'")).type(html).send(renderMail(mail, url).html)
    },
  )
}
