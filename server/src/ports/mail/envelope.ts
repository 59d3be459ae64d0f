import type { SendMailOptions } from 'nodemailer'
import type { Letter } from './mail.ts'

/** A letter in nodemailer's words. Nothing in it is read from files or addresses, whatever it holds. */
export function envelope(letter: Letter, from: string): SendMailOptions {
  return {
    from,
    to: { name: '', address: letter.to },
    messageId: letter.message_id,
    subject: letter.subject,
    text: letter.text,
    html: letter.html,
    // RFC 3834: no out-of-office answers to this.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
