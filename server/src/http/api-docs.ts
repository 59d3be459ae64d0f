import { PROBLEMS, problemsOf, type Route } from '@vrata/contract'
import { needsInWords, openapi } from '@vrata/contract/openapi'
import { ROUTES } from '@vrata/contract/routes'
import escapeHtml from 'escape-html'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { cookieName } from './cookies.ts'
import { cspHash } from './pages/csp-hash.ts'

/** `GET /v1/openapi.json` and `GET /v1/docs`, an HTML version of it, generated from the contract. */
export function mountApiDocs(v1: FastifyInstance, config: Pick<Config, 'api_url' | 'secure'>, version: string): void {
  // Generated on first use, to keep the start fast. As bytes, which answers share: a text would be encoded and copied for each.
  let document: Buffer | undefined
  let page: Buffer | undefined
  const describe = () =>
    Buffer.from(JSON.stringify(openapi(config.api_url, version, cookieName(config, 'access')), null, 1))
  v1.get('/openapi.json', (_, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'public, max-age=300')
      .send((document ??= describe())),
  )
  v1.get('/docs', (_, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        `default-src 'none'; style-src ${STYLE_HASH}; base-uri 'none'; frame-ancestors 'none'`,
      )
      .header('cross-origin-opener-policy', 'same-origin')
      .header('cache-control', 'public, max-age=300')
      .send((page ??= Buffer.from(docsPage(version)))),
  )
}

const STYLE = `:root{color-scheme:light dark;--page:light-dark(#f3f8f7,#071316);--card:light-dark(#fff,#0e1c1f);--ink:light-dark(#0f2224,#ecf1f1);--muted:light-dark(#4d5f61,#a5b3b2);--line:light-dark(#d9e2e1,#233234);--brand:light-dark(#006867,#62d4c9)}
*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:15px/22px system-ui,sans-serif}main{max-width:960px;margin:0 auto;padding:32px 16px 96px}
h1{font-size:32px;line-height:38px;margin:0 0 8px}h2{margin:48px 0 12px;font-size:24px;line-height:30px}p{margin:4px 0}a{color:var(--brand)}nav{display:flex;flex-wrap:wrap;gap:4px 16px;margin:16px 0}
article{background:var(--card);border:1px solid var(--line);border-radius:18px;padding:16px 20px;margin:12px 0;overflow-x:auto}h3{margin:0 0 4px;font:600 15px/22px ui-monospace,monospace;overflow-wrap:anywhere}b{color:var(--brand)}
small,th{color:var(--muted);font-size:13px}table{border-collapse:collapse;margin-top:10px;width:100%}td,th{text-align:left;padding:4px 16px 4px 0;border-top:1px solid var(--line);vertical-align:top;font-weight:400}code{font:13px/20px ui-monospace,monospace}`
const STYLE_HASH = cspHash(STYLE)

function docsPage(version: string): string {
  const nouns = Map.groupBy(ROUTES, ([name]) => name.split('.')[0] ?? '')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Vrata API</title><style>${STYLE}</style></head><body><main>
<h1>Vrata API</h1><p>Version ${escapeHtml(version)}. All paths begin with <code>/v1</code>. Machine-readable version: <a href="/v1/openapi.json">openapi.json</a>.</p>
<p>Success is <code>{"status":"success","data":…}</code>; a failure is <code>{"status":"error","error":{"code","message","fields","params","request_id"}}</code>.</p>
<nav>${[...nouns.keys()].map((noun) => `<a href="#${noun}">${noun}</a>`).join('')}</nav>
${[...nouns].map(([noun, calls]) => `<section><h2 id="${noun}">${noun}</h2>${calls.map(([, route]) => callCard(route)).join('')}</section>`).join('\n')}
</main></body></html>`
}

function callCard(route: Route): string {
  const fields = (['params', 'query', 'body'] as const).flatMap((part) =>
    Object.entries(route[part]?.shape ?? {}).map(
      ([name, field]) =>
        `<tr><td><code>${escapeHtml(name)}</code></td><td>${part === 'params' ? 'path' : part}</td><td>${(field as unknown as { safeParse(v: unknown): { success: boolean } }).safeParse(undefined).success ? 'optional' : 'required'}</td></tr>`,
    ),
  )
  const problems = problemsOf(route).map((code) => `<code>${code}</code> <small>${PROBLEMS[code]}</small>`)
  return `<article><h3><b>${route.method}</b> ${escapeHtml(route.path)}</h3><p>${inline(route.summary)}</p><p><small>${inline(needsInWords(route))}</small></p>${
    fields.length ? `<table><tr><th>Field</th><th>Where</th><th></th></tr>${fields.join('')}</table>` : ''
  }<p><small>Problems:</small> ${problems.join(', ')}</p></article>`
}

function inline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}
