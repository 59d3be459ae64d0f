import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { envelope } from './envelope.ts'
import type { Mailer } from './mail.ts'

/**
 * For a machine without a mail server: mails become files that any mail program opens, `<time>-<id>.eml` in `folder`,
 * and `print` gets one line with the link of each.
 */
export function outboxMailer(options: { folder: string; from: string; print: (line: string) => void }): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true })
  return {
    async send(letter) {
      const { message } = await transport.sendMail(envelope(letter, options.from))
      await mkdir(options.folder, { recursive: true, mode: 0o700 })
      const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
      const file = join(options.folder, `${time}-${letter.message_id.replaceAll(/[^\w-]/g, '').slice(0, 36)}.eml`)
      // Whoever lists the folder never sees half a mail.
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 })
      await rename(`${file}.part`, file)
      options.print(`Mail to ${letter.to}: ${letter.subject}\n  ${letter.link}`)
    },
    close: async () => transport.close(),
  }
}
