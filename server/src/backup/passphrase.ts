import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CommandError } from '../commands/command-error.ts'

/** Least characters, as for `VRATA_BACKUP_PASSPHRASE`. */
const LEAST = 12

/** Asks for a passphrase at the terminal without showing it. Throws `CommandError` without a terminal. */
export async function askPassphrase({ twice }: { twice: boolean }): Promise<string> {
  if (!process.stdin.isTTY)
    throw new CommandError(
      'VRATA_BACKUP_PASSPHRASE: must be set, because there is no terminal to ask for the passphrase.',
    )
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  // One reader for both questions, opened before the first is printed: text typed without a reader would be shown.
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  const ended = new AbortController()
  terminal.on('close', () => ended.abort())
  const ask = async (question: string) => {
    process.stderr.write(question)
    const answer = await terminal.question('', { signal: ended.signal }).catch(() => undefined)
    process.stderr.write('\n')
    if (answer === undefined) throw new CommandError('No passphrase was given.')
    return answer
  }
  try {
    const passphrase = await ask('Passphrase of the backup: ')
    if (!twice) return passphrase
    if (passphrase.length < LEAST) throw new CommandError(`The passphrase must have at least ${LEAST} characters.`)
    if ((await ask('Once more: ')) !== passphrase) throw new CommandError('The two passphrases are different.')
    return passphrase
  } finally {
    terminal.close()
  }
}
