import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { settingsOf, vrata } from '../../test/processes/vrata-command.ts'
import { VERSION } from '../version.ts'

// None of these commands gets as far as a database, so they run once and not on both.

async function emptyFolder() {
  const dataDir = mkdtempSync(join(tmpdir(), 'vrata-test-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  return {
    settings: settingsOf({ url: undefined, dataDir }),
    expectNothing: () => expect(readdirSync(dataDir)).toEqual([]),
  }
}

test('a group of commands, all commands and the version are printed when asked for', async () => {
  const { settings } = await emptyFolder()
  const printed = async (...words: string[]) => {
    const { code, stdout, stderr } = await vrata(settings, ...words)
    expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: '' })
    return stdout
  }
  for (const words of [
    ['keys', '--help'],
    ['help', 'keys'],
    ['keys', '-h'],
  ]) {
    const keys = await printed(...words)
    expect(keys).toContain('keys rotate')
    expect(keys).not.toContain('user list')
  }
  for (const word of ['--help', '-h', 'help']) expect(await printed(word)).toContain('user list')
  for (const words of [
    ['user', 'list', '-h'],
    ['help', 'user', 'list'],
  ])
    expect(await printed(...words)).toMatch(/^vrata user list \[QUERY\]/)
  for (const word of ['--version', 'version']) expect(await printed(word)).toBe(`${VERSION}\n`)
})

test('an argument that a command does not take is refused, not ignored', async () => {
  const { settings, expectNothing } = await emptyFolder()
  for (const command of [
    'serve 8080',
    'serve --port=8080',
    'migrate now',
    'doctor ana@example.com',
    'seed 5 --users 5',
    'upgrade now --rehearse',
  ]) {
    const { code, stdout, stderr } = await vrata(
      { ...settings, VRATA_SECRET: 'a secret that is long enough, and of nobody', PORT: '0' },
      ...command.split(' '),
    )
    expect({ command, code, stdout }).toEqual({ command, code: 2, stdout: '' })
    expect(stderr).toMatch(/^(Unexpected argument '|There is no option --port)/)
    expectNothing()
  }
})

test('commands that begin an installation create nothing when their arguments are wrong', async () => {
  const { settings, expectNothing } = await emptyFolder()
  for (const words of [
    ['serve', 'x'],
    ['serve', '--fast'],
    ['migrate', 'x'],
    ['migrate', '--fast'],
  ]) {
    const { code, stderr } = await vrata(settings, ...words)
    expect({ words, code, stderr }).toMatchObject({ words, code: 2, stderr: expect.stringContaining('--help prints') })
    expectNothing()
  }
})
