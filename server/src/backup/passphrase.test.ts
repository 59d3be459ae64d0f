import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { atTerminal, hasTerminals } from '../../test/processes/at-terminal.ts'
import { settingsOf } from '../../test/processes/vrata-command.ts'
import { startTestServer } from '../../test/test-server.ts'

test.skipIf(!hasTerminals)(
  'a passphrase is asked for at a terminal and never shown (skipped without `script`)',
  async () => {
    const server = await startTestServer()
    onTestFinished(() => server.close())
    const { database_url: url, data_dir: dataDir, secret } = server.config
    const settings = { ...settingsOf({ url, dataDir }), VRATA_SECRET: secret }
    const file = join(dataDir, 'with-secret.gz')
    const backup = (...answers: string[]) => atTerminal(settings, ['backup', file, '--with-secret'], answers)
    const passphrase = 'seven doors and a key'

    const whole = await backup(`${passphrase}\r`, `${passphrase}\r`)
    expect(whole).toMatchObject({ code: 0, said: expect.stringContaining('with-secret.gz: ') })
    expect(whole.said).not.toContain(passphrase)
    const again = join(dataDir, 'again.gz')
    const refused = async (...answers: string[]) => {
      const { code, said } = await atTerminal(settings, ['backup', again, '--with-secret'], answers)
      expect({ code, shown: said.includes(passphrase), exists: existsSync(again) }).toEqual({
        code: 1,
        shown: false,
        exists: false,
      })
      return said
    }
    expect(await refused('short\r')).toContain('at least 12 characters')
    expect(await refused(`${passphrase}\r`, 'another passphrase\r')).toContain('The two passphrases are different.')
    // Ctrl-C and Ctrl-D.
    for (const key of ['\x03', '\x04']) expect(await refused(key)).toContain('No passphrase was given.')
  },
)
