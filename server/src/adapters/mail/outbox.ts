import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mailer } from './mail.ts'
import { mailMessage } from './mail-message.ts'

/**
 * For installations without a mail server: writes mails as `<time>-<id>.eml` into `folder` and passes one line with the
 * link of each to `print`.
 */
export function outboxMailer(options: { folder: string; from: string; print: (line: string) => void }): Mailer {
  return {
    async send(mail) {
      const { raw } = await mailMessage(mail, options.from)
      const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
      writeWhole(options.folder, { id: mail.message_id.replaceAll(/[^\w-]/g, '').slice(0, 36), time }, raw)
      options.print(`Mail to ${mail.to}: ${mail.subject}\n  ${mail.link}`)
    },
    close: async () => {},
  }
}

/**
 * Renamed when complete, so that a reader of the folder never sees a partial file. An attempt that has failed has left one, on a full disk, and the
 * next attempt for the same mail replaces it. Synchronous: a file of a few KB takes 0.1 ms, and four ways through the threads of libuv take more CPU
 * time than that.
 */
function writeWhole(folder: string, { id, time }: { id: string; time: string }, content: string): void {
  const part = join(folder, `${id}.part`)
  const write = () => writeFileSync(part, content, { mode: 0o600 })
  try {
    write()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    write()
  }
  renameSync(part, join(folder, `${time}-${id}.eml`))
}
