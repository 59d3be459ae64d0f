import { createTransport } from 'nodemailer'
import { GiveUp } from '../jobs/runner.ts'
import { envelope } from './envelope.ts'
import type { Mailer } from './mail.ts'

/** Milliseconds; each well within one try of the job runner. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 5_000 }

/**
 * Hands mails to the server of `VRATA_SMTP_URL` (`smtp://` with STARTTLS, `smtps://`). To another machine the line must
 * be encrypted and its certificate good (ASVS 12.3); `?ignoreTLS=true` is for a relay in one's own network.
 */
export function smtpMailer(options: { url: string; from: string; timeouts?: Partial<typeof TIMEOUTS> }): Mailer {
  const transport = createTransport({
    pool: true,
    // As many as there are tries at once: behind a line that hangs a mail would still wait when its try is given up, and
    // leave after that as well.
    maxConnections: 5,
    ...connectionTo(options.url),
    ...TIMEOUTS,
    ...options.timeouts,
  })
  return {
    async send(letter, signal) {
      try {
        await aborted(transport.sendMail(envelope(letter, options.from)), signal)
      } catch (error) {
        throw isRefusal(error) ? new GiveUp(`the mail server refused it: ${error.responseCode}`) : error
      }
    },
    close: async () => transport.close(),
  }
}

/** Where and how to connect, as the URL says it; certificates are checked in any case. */
export function connectionTo(text: string) {
  const url = new URL(text)
  const secure = url.protocol === 'smtps:'
  const own = /^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname)
  const ignoreTLS = url.searchParams.get('ignoreTLS') === 'true'
  const auth = url.username
    ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) }
    : undefined
  const port = Number(url.port) || (secure ? 465 : 587)
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port, secure, auth, ignoreTLS, requireTLS: !(own || ignoreTLS) }
}

/** 5xx to the recipient or the text: the same mail would be refused again. A wrong login of ours may be mended, so it waits. */
function isRefusal(error: unknown): error is { responseCode: number } {
  const { responseCode, code } = error as { responseCode?: number; code?: string }
  return (responseCode ?? 0) >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')
}

/** A process that stops does not wait for a slow server; the mail goes out at the next start. */
async function aborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const stop = Promise.withResolvers<never>()
  const onAbort = () => stop.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, stop.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
