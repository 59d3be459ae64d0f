/**
 * Validates a `redirect` parameter: a path of this origin that does not lead back to login (security §3.7.2). Undefined
 * for other values.
 */
export function safeRedirect(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\/(?![/\\])/.test(value) || value.length > 4000) return undefined
  // URL() drops tabs and line breaks and reads a backslash as a slash; addresses of pages need none of them.
  if (/[\u0000-\u0020\\\u007f]/.test(value)) return undefined
  const here = 'https://here.invalid'
  const url = new URL(value, here)
  if (url.origin !== here || url.pathname.startsWith('//')) return undefined
  if (/^\/(?:login|logout|register)(?:\/|$)/.test(url.pathname)) return undefined
  return url.pathname + url.search + url.hash
}
