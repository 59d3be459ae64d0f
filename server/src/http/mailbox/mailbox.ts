import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import escapeHtml from 'escape-html'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.ts'
import { isLoopbackRequest, isLoopbackUrl } from '../../lib/loopback.ts'
import { cspHash } from '../pages/csp-hash.ts'

/** Number of mails shown. */
const SHOWN = 50

/**
 * `GET /mailbox`: mails of an installation without a mail server, for requests from this machine; 404 for others,
 * because a link in a mail gives access to an account. Not mounted when the public URL is not loopback, because a
 * reverse proxy would look like a local client.
 */
export function mountMailbox(app: FastifyInstance, { url, data_dir }: Pick<Config, 'url' | 'data_dir'>): void {
  if (!isLoopbackUrl(url)) return
  const folder = join(data_dir, 'outbox')
  app.get('/mailbox', async (request, reply) => {
    if (!isLoopbackRequest(request)) return reply.callNotFound()
    return reply
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': `default-src 'none'; style-src ${STYLE_HASH}; base-uri 'none'; frame-ancestors 'none'`,
      })
      .type('text/html; charset=utf-8')
      .send(page(await newest(folder)))
  })
}

type Shown = { to: string; subject: string; date: string; text: string }

async function newest(folder: string): Promise<Shown[]> {
  const files = await readdir(folder).catch(() => [])
  const names = files.filter((name) => name.endsWith('.eml')).sort()
  return Promise.all(
    names
      .slice(-SHOWN)
      .reverse()
      .map((name) => read(join(folder, name))),
  )
}

async function read(file: string): Promise<Shown> {
  const { default: PostalMime } = await import('postal-mime')
  const mail = await PostalMime.parse(await readFile(file))
  return {
    to: mail.to?.map((one) => one.address).join(', ') ?? '',
    subject: mail.subject ?? '',
    date: mail.date ?? '',
    text: mail.text ?? '',
  }
}

/** Style of the pages for local requests. */
export const STYLE = `:root{color-scheme:light dark;--page:light-dark(#f3f8f7,#071316);--card:light-dark(#fff,#0e1c1f);--ink:light-dark(#0f2224,#ecf1f1);--muted:light-dark(#4d5f61,#a5b3b2);--line:light-dark(#d9e2e1,#233234);--brand:light-dark(#006867,#62d4c9)}
body{margin:0;background:var(--page);color:var(--ink);font:15px/22px system-ui,sans-serif}main{max-width:720px;margin:0 auto;padding:32px 16px 64px}h1{font-size:32px;line-height:38px;margin:0 0 4px}h2{font-size:19px;line-height:26px;margin:0}
p{margin:0;color:var(--muted);overflow-wrap:anywhere}article{background:var(--card);border:1px solid var(--line);border-radius:18px;padding:20px 24px;margin-top:16px}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:inherit;margin:12px 0 0}a{color:var(--brand)}`
export const STYLE_HASH = cspHash(STYLE)

function page(mails: Shown[]): string {
  const list = mails.map(
    (mail) =>
      `<article><h2>${escapeHtml(mail.subject)}</h2><p>${escapeHtml(mail.to)} · <time>${escapeHtml(mail.date)}</time></p><pre>${linked(mail.text)}</pre></article>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="refresh" content="5"><title>Mailbox</title><style>${STYLE}</style></head><body><main><h1>Mailbox</h1><p>No mail server is set (VRATA_SMTP_URL), so emails are shown here. This page is available on this machine only.</p>${list.join('') || '<article><p>No emails yet.</p></article>'}</main></body></html>`
}

function linked(text: string): string {
  return escapeHtml(text).replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}" rel="noreferrer">${url}</a>`)
}
