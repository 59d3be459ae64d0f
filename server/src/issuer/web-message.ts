import { errors, type KoaContextWithOIDC } from 'oidc-provider'
import { sourceHash } from '../edge/source-hash.ts'
import type { IssuerClient } from '../slices/clients/door.ts'
import { errorPage } from './refusals.ts'
import { WEB_MESSAGE } from './response-modes.ts'
import { unitOfWork } from './unit-of-work.ts'

/** The one script of the last page in a popup; what it says stands beside it as data. */
const SCRIPT = `
const { target, response, otherwise } = JSON.parse(document.getElementById('answer').textContent)
if (window.opener) {
  window.opener.postMessage({ type: 'authorization_response', response }, target)
  window.close()
} else location.replace(otherwise)
`
const POLICY = [
  "default-src 'none'",
  `script-src ${sourceHash(SCRIPT)}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * Where the answer of a popup may go: the origin of its redirect URI, if the app has registered it and popups are switched
 * on for it (api.md §6: "origins … decide who may receive a popup's message").
 */
export function popupTarget(
  client: Pick<IssuerClient, 'allow_popup' | 'origins'> | undefined,
  redirect_uri: unknown,
): string | undefined {
  const origin = typeof redirect_uri === 'string' ? URL.parse(redirect_uri)?.origin : undefined
  return client?.allow_popup && origin && client.origins.includes(origin) ? origin : undefined
}

/** Refuses a popup's request while it begins, so that nobody signs in for an answer that cannot be given. */
export async function refuseForeignPopup({ oidc }: KoaContextWithOIDC): Promise<void> {
  if (oidc.params?.response_mode !== WEB_MESSAGE) return
  const client = await unitOfWork().client(oidc.client?.clientId as string)
  if (!popupTarget(client, oidc.params.redirect_uri)) {
    throw new errors.UnauthorizedClient('the origin of this redirect_uri may not receive messages')
  }
}

/**
 * Answers a popup with a page that tells the window that opened it, and nobody else. Where the browser has cut that tie
 * (the opener is isolated by its Cross-Origin-Opener-Policy) the page leads on to the redirect URI, as `query` does; the
 * app's own page there can still reach the other one, for they share an origin.
 */
export async function answerPopup(
  ctx: KoaContextWithOIDC,
  redirect_uri: string,
  response: Record<string, unknown>,
): Promise<void> {
  const client_id = ctx.oidc.client?.clientId ?? ''
  const target = popupTarget(await unitOfWork().client(client_id), redirect_uri)
  if (!target) {
    ctx.status = 303
    ctx.redirect(errorPage('invalid_request', client_id))
    return
  }
  const otherwise = new URL(redirect_uri)
  for (const [name, value] of Object.entries(response)) otherwise.searchParams.set(name, String(value))
  const answer = JSON.stringify({ target, response, otherwise: otherwise.href }).replaceAll('<', '\\u003c')
  ctx.status = 200
  ctx.type = 'html'
  ctx.set('cache-control', 'no-store')
  ctx.set('content-security-policy', POLICY)
  ctx.body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Vrata</title><script id="answer" type="application/json">${answer}</script><script type="module">${SCRIPT}</script></html>`
}
