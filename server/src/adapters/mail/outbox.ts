import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Mailer } from './mail.ts'
import { nodemailerMessage } from './nodemailer-message.ts'

/**
 * For installations without a mail server: writes mails as `<time>-<id>.eml` into `folder` and passes one line with the
 * link of each to `print`.
 */
export function outboxMailer(options: { folder: string; from: string; print: (line: string) => void }): Mailer {
  return {
    async send(mail) {
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({ streamTransport: true, buffer: true })
      const { message } = await transport.sendMail(nodemailerMessage(mail, options.from))
      const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
      const file = join(options.folder, `${time}-${mail.message_id.replaceAll(/[^\w-]/g, '').slice(0, 36)}.eml`)
      // Renamed when complete, so that a reader of the folder never sees a partial file.
      const write = () => writeFile(`${file}.part`, message as Buffer, { mode: 0o600 })
      await write().catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
        await mkdir(options.folder, { recursive: true, mode: 0o700 })
        await write()
      })
      await rename(`${file}.part`, file)
      options.print(`Mail to ${mail.to}: ${mail.subject}\n  ${mail.link}`)
    },
    close: async () => {},
  }
}
