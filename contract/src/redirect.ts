/**
 * A `redirect` value that may be followed after sign-in: a path of this origin, and not one that would send the visitor
 * round in circles (ASVS 3.7.2). Anything else is undefined.
 */
export function safeRedirect(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\/(?![/\\])/.test(value) || value.length > 4000) return undefined
  // URL() would drop tabs and line breaks and read a backslash as a slash; nobody needs them.
  if (/[\u0000-\u0020\\\u007f]/.test(value)) return undefined
  const here = 'https://here.invalid'
  const url = new URL(value, here)
  if (url.origin !== here || url.pathname.startsWith('//')) return undefined
  if (/^\/(?:login|logout|register)(?:\/|$)/.test(url.pathname)) return undefined
  return url.pathname + url.search + url.hash
}
