import type { SendMailOptions } from 'nodemailer'
import type { OutgoingMail } from './mail.ts'

/** Converts a mail to a nodemailer message that may not read files or URLs. */
export function nodemailerMessage(mail: OutgoingMail, from: string): SendMailOptions {
  return {
    from,
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
