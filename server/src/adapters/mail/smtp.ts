import type { Transporter } from 'nodemailer'
import { GiveUp } from '../jobs/runner.ts'
import type { Mailer } from './mail.ts'
import { mailMessage } from './mail-message.ts'
import { connectionTo } from './smtp-url.ts'

/** Milliseconds, each shorter than one attempt of the job runner. */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000, dnsTimeout: 5_000 }

/**
 * Sends mails to the server of `VRATA_SMTP_URL` (`smtp://` with STARTTLS, `smtps://`). Connections to other hosts must
 * use TLS with a valid certificate (security §12.3); `?ignoreTLS=true` is for a relay in a private network.
 */
export function smtpMailer(options: { url: string; from: string; timeouts?: Partial<typeof TIMEOUTS> }): Mailer {
  let transport: Transporter | undefined
  const open = async () => {
    // Loaded with the first mail, so that the server starts without it.
    const { createTransport } = await import('nodemailer')
    return (transport ??= createTransport({
      pool: true,
      // One connection for each concurrent attempt: a mail queued behind a hanging connection would be sent after its
      // attempt has been given up.
      maxConnections: 5,
      ...connectionTo(options.url),
      ...TIMEOUTS,
      ...options.timeouts,
    }))
  }
  return {
    async send(mail, signal) {
      try {
        const message = await mailMessage(mail, options.from)
        await aborted((await open()).sendMail(message), signal)
      } catch (error) {
        throw isRejection(error) ? new GiveUp(`the mail server refused it: ${error.responseCode}`) : error
      }
    },
    close: async () => transport?.close(),
  }
}

/**
 * 5xx for the recipient or the content cannot succeed later. A failed login, a sender that the server refuses, or a server that wants a login
 * (530, RFC 4954 §6) can be corrected by the operator, so the mail is retried.
 */
function isRejection(error: unknown): error is { responseCode: number } {
  const { responseCode = 0, code, command } = error as { responseCode?: number; code?: string; command?: string }
  const isAboutServer = command === 'MAIL FROM' || responseCode === 530
  return responseCode >= 500 && !isAboutServer && (code === 'EENVELOPE' || code === 'EMESSAGE')
}

/** A stopping process does not wait for a slow server; the mail is sent after the next start. */
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
