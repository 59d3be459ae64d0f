import type { OutgoingMail } from './mail.ts'

/** A mail as it is sent: the addresses for the mail server, and the message (RFC 5322, RFC 2046 §5.1.4). */
export interface MailMessage {
  envelope: { from: string | false; to: string[] }
  raw: string
}

/**
 * Writes a mail as a message with a plain text and an HTML version. nodemailer encodes headers and texts; it would put them together with
 * streams, which take three times as long as all else (decision 0049).
 */
export async function mailMessage(mail: OutgoingMail, from: string): Promise<MailMessage> {
  // Loaded with the first mail, so that the server starts without it.
  const [{ default: MimeNode }, qp] = await Promise.all([
    import('nodemailer/lib/mime-node'),
    import('nodemailer/lib/qp'),
  ])
  const root = new MimeNode('multipart/alternative').setHeader({
    // RFC 3834: no out-of-office answers to this.
    'Auto-Submitted': 'auto-generated',
    From: mail.from_name === undefined ? from : { name: mail.from_name, address: addressOf(from) },
    To: { name: '', address: mail.to },
    Subject: mail.subject,
    'Message-ID': mail.message_id,
    // nodemailer would take `new Date()`, the time of this machine.
    Date: new Date(Date.now()).toUTCString().replace('GMT', '+0000'),
  })
  // Makes the boundary of the parts, too.
  const headers = root.buildHeaders()
  const part = (type: string, content: string) => {
    const node = root.createChild(type).setHeader('Content-Transfer-Encoding', 'quoted-printable')
    return `--${root.boundary}\r\n${node.buildHeaders()}\r\n\r\n${qp.wrap(qp.encode(content))}\r\n`
  }
  const parts = part('text/plain; charset=utf-8', mail.text) + part('text/html; charset=utf-8', mail.html)
  return { envelope: root.getEnvelope(), raw: `${headers}\r\n\r\n${parts}--${root.boundary}--\r\n` }
}

/** The address of `Name <address>`, as in `VRATA_MAIL_FROM`. */
function addressOf(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from
}
