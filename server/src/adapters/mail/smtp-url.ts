import { isLoopbackHost } from '../../lib/loopback.ts'

/** Connection options of `VRATA_SMTP_URL`; certificates are always verified. Throws for a text that is not a URL. */
export function connectionTo(text: string) {
  const url = new URL(text)
  if (url.hostname === '') throw new TypeError('The URL names no host.')
  const secure = url.protocol === 'smtps:'
  const own = isLoopbackHost(url.hostname)
  const ignoreTLS = url.searchParams.get('ignoreTLS') === 'true'
  const auth = url.username
    ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
    : undefined
  const port = Number(url.port) || (secure ? 465 : 587)
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port, secure, auth, ignoreTLS, requireTLS: !(own || ignoreTLS) }
}
