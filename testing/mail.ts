import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Jobs send mails shortly after the call that causes them. */
const TIMEOUT_MS = 40_000

/** Waits for a mail to an address in an outbox folder; returns what `pattern` matches in the newest mail that has it. */
export async function findInMail(outbox: string, email: string, pattern: RegExp): Promise<string> {
  for (const start = Date.now(); Date.now() - start < TIMEOUT_MS; await wait(50)) {
    const files = (await readdir(outbox).catch(() => [])).filter((file) => file.endsWith('.eml'))
    for (const file of files.sort().reverse()) {
      // Quoted-printable breaks long lines with "=" and writes the character itself as "=3D" (RFC 2045 §6.7).
      const mail = (await readFile(join(outbox, file), 'utf8')).replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
      const found = pattern.exec(mail)?.[0]
      // A long address stands on the line after the name of the header (RFC 5322 §2.2.3).
      if (found && /^To:\s*(.*)$/m.exec(mail)?.[1]?.includes(email)) return found
    }
  }
  throw new Error(`No mail to ${email} with ${pattern} arrived in ${outbox}.`)
}

/** The link to a page in the newest mail to an address that has one; `page` is the start of its path. */
export function mailedLink(outbox: string, email: string, page: string): Promise<string> {
  return findInMail(outbox, email, new RegExp(`https?://[^/\\s"]+${page}[\\w-]*`))
}

/** The token at the end of a mailed link. */
export function tokenIn(link: string): string {
  return link.split('/').at(-1) ?? ''
}
