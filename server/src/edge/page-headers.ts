import type { PagePlan, PlannedPage } from '@vrata/contract'
import { ONLY_HTTPS } from './answer-headers.ts'
import { leadsToAnApp } from './onward.ts'
import { sourceHash } from './source-hash.ts'

/**
 * Headers of a document: the strict policy of frontend.md §5.4 (no inline script or style but the hashed ones, Trusted
 * Types), and what ASVS 3.4 asks for.
 */
export function pageHeaders(plan: PagePlan, { url, apiBase }: { url: string; apiBase: string }) {
  const api = apiBase ? ` ${apiBase}` : ''
  // Named, because not every browser takes `'self'` for sockets, too.
  const socket = (apiBase || url).replace(/^http/, 'ws')
  const policy = (images: string) =>
    [
      "default-src 'none'",
      `script-src 'self' ${sourceHash(plan.early)}`,
      `style-src 'self' ${sourceHash(plan.css)}`,
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
  const open = policy('')
  // Pictures of people and apps may be full URLs (specification §3); nobody's are shown before sign-in.
  const signedIn = policy(' https:')

  return (page: PlannedPage, query: Record<string, unknown>): Record<string, string> => ({
    'cache-control': 'no-store',
    vary: 'Accept-Encoding, Accept-Language, Cookie',
    'content-security-policy': page.needs === 'nobody' ? open : signedIn,
    'cross-origin-opener-policy': keepsOpener(page, query) ? 'unsafe-none' : 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(url.startsWith('https:') ? ONLY_HTTPS : {}),
  })
}

/**
 * An app may open its sign-in as a popup, whose last page tells the opener the result. Every document on that way must
 * keep the opener, or the browser cuts the tie for good; a popup's own `same-origin-allow-popups` would cut it, too.
 */
function keepsOpener(page: PlannedPage, query: Record<string, unknown>): boolean {
  return page.popup === true || leadsToAnApp(String(query.redirect ?? ''))
}
