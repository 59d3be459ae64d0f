import type { Letter, Mailer } from './mail.ts'

/** Keeps what was sent, for tests. */
export function memoryMailer(): Mailer & { sent: Letter[] } {
  const sent: Letter[] = []
  return {
    sent,
    send: async (letter) => void sent.push(letter),
    close: async () => {},
  }
}
