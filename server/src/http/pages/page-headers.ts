import type { PagePlan, PlannedPage } from '@vrata/contract'
import { ONLY_HTTPS } from '../response-headers.ts'
import { mayRedirectToClient } from './client-redirect.ts'
import { cspHash } from './csp-hash.ts'

/**
 * Headers of a document: the strict content security policy of pages §5.4 (inline scripts and styles by hash only,
 * Trusted Types) and the headers of security §3.4.
 */
export function pageHeaders(plan: PagePlan, { url, apiBase }: { url: string; apiBase: string }) {
  const api = apiBase ? ` ${apiBase}` : ''
  // Named explicitly, because not every browser applies `'self'` to WebSocket URLs.
  const socket = (apiBase || url).replace(/^http/, 'ws')
  const policy = (images: string, style: string) =>
    [
      "default-src 'none'",
      `script-src 'self' ${cspHash(plan.early)}`,
      `style-src 'self' ${cspHash(plan.css)}${style && ` ${cspHash(style)}`}`,
      `img-src 'self' data:${api}${images}`,
      "font-src 'self'",
      `connect-src 'self'${api} ${socket}`,
      "manifest-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      `form-action 'self'${api}`,
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; ')
  // Pictures may be absolute URLs (product §3); none are shown before sign-in.
  const imagesOf = (page: PlannedPage) => (page.needs === 'nobody' ? '' : ' https:')

  /** `style`: the second style sheet of the document, if any. */
  return (page: PlannedPage, query: Record<string, unknown>, style: string): Record<string, string> => ({
    'cache-control': 'no-store',
    vary: 'Accept-Encoding, Accept-Language, Cookie',
    'content-security-policy': policy(imagesOf(page), style),
    'cross-origin-opener-policy': keepsOpener(page, query) ? 'unsafe-none' : 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(url.startsWith('https:') ? ONLY_HTTPS : {}),
  })
}

/**
 * A client may open its sign-in in a popup whose last page posts the result to the opener. Every document of that flow
 * must keep the opener: any other policy, `same-origin-allow-popups` included, disconnects it permanently.
 */
function keepsOpener(page: PlannedPage, query: Record<string, unknown>): boolean {
  return page.popup === true || mayRedirectToClient(String(query.redirect ?? ''))
}
