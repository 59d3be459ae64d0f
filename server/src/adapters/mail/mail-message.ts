import { LRUCache } from 'lru-cache'
import { loadedOnce } from '../../lib/loaded-once.ts'
import type { OutgoingMail } from './mail.ts'

/** A mail as it is sent: the addresses for the mail server, and the message (RFC 5322, RFC 2046 §5.1.4). */
export interface MailMessage {
  envelope: { from: string | false; to: string[] }
  raw: string
}

/** Headers that are the same in many mails, as they are sent, and the address of the sender. */
type SharedHeaders = { lines: string; from: string | false }

/** Encoded headers by sender and subject. An installation has some dozens, and encoding them takes longer than the rest of a mail. */
const shared = new LRUCache<string, SharedHeaders>({ max: 100 })

/** Encoded beginnings and ends of HTML texts: most of each mail, and mostly the same in others. */
const frames = new LRUCache<string, string>({ max: 200 })

/** No line of a part is this: in quoted-printable text, `=` stands before two digits or the end of a line (RFC 2045 §6.7). */
const BOUNDARY = '=_part'
/** Addresses that are written as they are. */
const PLAIN_ADDRESS = /^[\w.+-]+@[a-z\d.-]+$/

const PARTS = { text: partHeaders('text/plain'), html: partHeaders('text/html') }

function partHeaders(type: string): string {
  const headers = [`Content-Type: ${type}; charset=utf-8`, 'Content-Transfer-Encoding: quoted-printable']
  return [`--${BOUNDARY}`, ...headers, '', ''].join('\r\n')
}

/**
 * Writes a mail as a message with a plain text and an HTML version. nodemailer encodes headers and texts; it would put them together with
 * streams, which take three times as long as all else (decision 0049).
 */
export async function mailMessage(mail: OutgoingMail, from: string): Promise<MailMessage> {
  const { MimeNode, qp, funcs } = await encoders()
  const key = JSON.stringify([from, mail.from_name, mail.subject])
  const known = shared.get(key) ?? sharedHeaders(MimeNode, mail, from)
  shared.set(key, known)
  const to = PLAIN_ADDRESS.test(mail.to) ? { header: mail.to, address: mail.to } : encodedAddress(MimeNode, mail.to)
  const headers = [
    known.lines,
    funcs.foldLines(`To: ${to.header}`),
    funcs.foldLines(`Message-ID: ${mail.message_id}`),
    // nodemailer would take `new Date()`, the time of this machine.
    `Date: ${new Date(Date.now()).toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${BOUNDARY}"`,
    '',
    '',
  ]
  const encode = (content: string) => qp.wrap(qp.encode(content))
  const parts = `${PARTS.text}${encode(mail.text)}\r\n${PARTS.html}${encodedHtml(mail.html, encode)}\r\n--${BOUNDARY}--\r\n`
  return { envelope: { from: known.from, to: [to.address] }, raw: headers.join('\r\n') + parts }
}

/** In three parts, each of which ends with a line, so that their encodings are that of the whole. */
function encodedHtml(html: string, encode: (text: string) => string): string {
  const heading = html.indexOf('</h1>\n')
  // The test mail of `vrata doctor` has no heading.
  if (heading < 0) return encode(html)
  const afterHeading = heading + '</h1>\n'.length
  const afterLinks = html.indexOf('\n', Math.max(afterHeading, html.lastIndexOf('://'))) + 1
  const frame = (text: string) => {
    const known = frames.get(text)
    if (known !== undefined) return known
    const encoded = encode(text)
    // A copy, because a part of a text keeps all of it in memory, with its link.
    frames.set(Buffer.from(text).toString(), encoded)
    return encoded
  }
  return (
    frame(html.slice(0, afterHeading)) + encode(html.slice(afterHeading, afterLinks)) + frame(html.slice(afterLinks))
  )
}

type Encoders = Awaited<ReturnType<typeof encoders>>

/** With the first mail, so that the server starts without them. */
const encoders = loadedOnce(async () => {
  const [{ default: MimeNode }, qp, funcs] = await Promise.all([
    import('nodemailer/lib/mime-node'),
    import('nodemailer/lib/qp'),
    import('nodemailer/lib/mime-funcs'),
  ])
  return { MimeNode, qp, funcs }
})

function sharedHeaders(MimeNode: Encoders['MimeNode'], mail: OutgoingMail, from: string): SharedHeaders {
  // A part of a message has no date and no id.
  const node = new MimeNode(undefined).createChild(undefined).setHeader({
    // RFC 3834: no out-of-office answers to this.
    'Auto-Submitted': 'auto-generated',
    From: mail.from_name === undefined ? from : { name: mail.from_name, address: addressOf(from) },
    Subject: mail.subject,
  })
  return { lines: node.buildHeaders(), from: node.getEnvelope().from }
}

/** An address with a domain or a name of other letters (RFC 3492, RFC 6532). */
function encodedAddress(MimeNode: Encoders['MimeNode'], address: string) {
  const node = new MimeNode(undefined).setHeader('To', { name: '', address })
  return { header: node.encodeHeaderValue('To', { name: '', address }), address: node.getEnvelope().to[0] ?? address }
}

/** The address of `Name <address>`, as in `VRATA_MAIL_FROM`. */
function addressOf(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from
}
