import type { Mailer, OutgoingMail } from './mail.ts'

/** Collects sent mails, for tests. */
export function memoryMailer(): Mailer & { sent: OutgoingMail[] } {
  const sent: OutgoingMail[] = []
  return {
    sent,
    send: async (mail) => void sent.push(mail),
    close: async () => {},
  }
}
