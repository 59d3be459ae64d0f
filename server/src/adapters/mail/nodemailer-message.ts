import type { SendMailOptions } from 'nodemailer'
import type { OutgoingMail } from './mail.ts'

/** Converts a mail to a nodemailer message that may not read files or URLs. */
export function nodemailerMessage(mail: OutgoingMail, from: string): SendMailOptions {
  return {
    from: mail.from_name === undefined ? from : { name: mail.from_name, address: addressOf(from) },
    to: { name: '', address: mail.to },
    messageId: mail.message_id,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    // RFC 3834: no out-of-office answers to this.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** The address of `Name <address>`, as in `VRATA_MAIL_FROM`. */
function addressOf(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from
}
