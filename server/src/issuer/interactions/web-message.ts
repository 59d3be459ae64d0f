import escapeHtml from 'escape-html'
import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import type { IssuerClient } from '../../features/clients/public.ts'
import { cspHash } from '../../http/pages/csp-hash.ts'
import { WEB_MESSAGE } from '../provider/clients/client-metadata.ts'
import type { ProviderRequest } from '../request/provider-request.ts'
import { errorPage } from './error-page.ts'

/** The script of the last page in a popup. It reads its data from the element `answer`. */
const SCRIPT = `
const { target, response, fallback } = JSON.parse(document.getElementById('answer').textContent)
if (window.opener) {
  window.opener.postMessage({ type: 'authorization_response', response }, target)
  window.close()
} else location.replace(fallback)
`
const POLICY = [
  "default-src 'none'",
  `script-src ${cspHash(SCRIPT)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * The origin that may receive the response: that of the redirect URI, if it is a registered origin of the client and the
 * client allows popups (decision 0041).
 */
function popupTarget(
  client: Pick<IssuerClient, 'allow_popup' | 'origins'> | undefined,
  redirect_uri: unknown,
): string | undefined {
  const origin = typeof redirect_uri === 'string' ? URL.parse(redirect_uri)?.origin : undefined
  return client?.allow_popup && origin && client.origins.includes(origin) ? origin : undefined
}

/** Throws `unauthorized_client` before the user signs in, when no origin may receive the response. */
export async function assertPopupTarget({ reads }: ProviderRequest, { oidc }: KoaContextWithOIDC): Promise<void> {
  if (oidc.params?.response_mode !== WEB_MESSAGE) return
  const client = await reads.client(oidc.client?.clientId as string)
  if (!popupTarget(client, oidc.params.redirect_uri)) {
    throw new errors.UnauthorizedClient('the origin of this redirect_uri may not receive messages')
  }
}

/**
 * The response mode `web_message`: a page that posts the response to its opener. Where Cross-Origin-Opener-Policy has
 * separated the opener, the page redirects to the redirect URI as `query` does, and the client's page there passes the
 * response on within its origin (decision 0041).
 */
export async function sendWebMessage(
  { deps, reads }: ProviderRequest,
  ctx: KoaContextWithOIDC,
  redirect_uri: string,
  response: Record<string, unknown>,
): Promise<void> {
  const client_id = ctx.oidc.client?.clientId ?? ''
  const target = popupTarget(await reads.client(client_id), redirect_uri)
  if (!target) {
    ctx.status = 303
    ctx.redirect(errorPage('invalid_request', client_id))
    return
  }
  const fallback = new URL(redirect_uri)
  for (const [name, value] of Object.entries(response)) fallback.searchParams.set(name, String(value))
  const answer = JSON.stringify({ target, response, fallback: fallback.href }).replaceAll('<', '\\u003c')
  ctx.status = 200
  ctx.type = 'html'
  ctx.set('cache-control', 'no-store')
  ctx.set('content-security-policy', POLICY)
  ctx.body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(deps.branding.now().name ?? 'Vrata')}</title><script id="answer" type="application/json">${answer}</script><script type="module">${SCRIPT}</script></html>`
}
