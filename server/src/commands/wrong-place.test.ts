import { existsSync, readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { emptyDatabase, testEngine } from '../../test/databases/template-db.ts'
import { refusedStart, settingsOf, vrata, vrataOnFullDisk, vrataUnread } from '../../test/processes/vrata-command.ts'
import { startTestServer } from '../../test/test-server.ts'
import { recordAudit } from '../features/audit/public.ts'
import { checkSecret } from '../main.ts'

const SECRET = { VRATA_SECRET: 'a secret that is long enough, and of nobody' }
const OLD = { VRATA_OLD_SECRET: 'the secret before, which is long enough, too' }
async function emptyPlace() {
  const place = await emptyDatabase()
  onTestFinished(() => place.remove())
  const before = readdirSync(place.dataDir)
  return { settings: settingsOf(place), expectNothing: () => expect(readdirSync(place.dataDir)).toEqual(before) }
}

test('commands create no secret where there is none', async () => {
  const { settings, expectNothing } = await emptyPlace()
  for (const command of ['user list', 'backup file.gz', 'doctor']) {
    const { code, stdout, stderr } = await vrata(settings, ...command.split(' '))
    expect({ command, code, stdout, stderr }).toMatchObject({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^There is no secret: VRATA_SECRET is not set, and .* has none\./)
    expectNothing()
  }
})

test('commands say that there is no database of this version, and create none', async () => {
  const { settings, expectNothing } = await emptyPlace()
  const says = testEngine === 'sqlite' ? /There is no database: / : /The database has not been migrated|0001-foundation/
  for (const command of ['keys list', 'secret rotate --finish', 'doctor']) {
    const { code, stdout, stderr } = await vrata({ ...settings, ...SECRET, ...OLD }, ...command.split(' '))
    expect({ command, code, says: says.test(stdout + stderr) }).toEqual({ command, code: 1, says: true })
    expectNothing()
  }
})

test('a secret that is not the one of the database is an invalid setting, and an unknown command is named', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const { database_url: url, data_dir: dataDir } = server.config
  const settings = settingsOf({ url, dataDir })
  expect(await vrata({ ...settings, VRATA_SECRET: server.config.secret }, 'keys', 'list')).toMatchObject({ code: 0 })
  const wrong = await vrata({ ...settings, ...SECRET }, 'keys', 'list')
  expect(wrong).toMatchObject({ code: 1, stdout: '' })
  expect(wrong.stderr).toMatch(/^These settings are not valid:\n\nVRATA_SECRET does not match .*\n\n$/)
  const unknown = await vrata(settings, 'user', 'lost')
  expect(unknown).toMatchObject({ code: 2, stderr: '\nThere is no command "user lost".\n' })
  expect(unknown.stdout).toContain('user unlock')
  expect(unknown.stdout).not.toContain('keys rotate')
})

test('a start or upgrade without the secret of the database is refused, and leaves no other secret behind', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  await checkSecret(server.deps, server.store)
  const { database_url: url, data_dir: dataDir } = server.config
  const settings = settingsOf({ url, dataDir })
  for (const run of [() => refusedStart(settings), () => vrata(settings, 'migrate')]) {
    const { code, stdout, stderr } = await run()
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      /There is no secret: VRATA_SECRET is not set, and .* has none, but this database is encrypted with one/,
    )
    expect(readdirSync(dataDir).filter((name) => name.startsWith('secret'))).toEqual([])
  }
})

test('a start whose database does not answer creates no secret', async () => {
  const { settings, expectNothing } = await emptyPlace()
  const away = { ...settings, VRATA_DATABASE_URL: 'postgres://vrata@127.0.0.1:1/vrata' }
  expect(await refusedStart(away)).toMatchObject({ code: 1, stderr: expect.stringContaining('ECONNREFUSED') })
  expectNothing()
})

test('output whose reader ends early, as with head, is no error', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const { database_url: url, data_dir: dataDir, secret } = server.config
  const settings = { ...settingsOf({ url, dataDir }), VRATA_SECRET: secret }
  await server.deps.transaction((tx) =>
    recordAudit(tx, { command: 'a test' }, { type: 'setup.changed', subject: { kind: 'setup', id: 'installation' } }),
  )
  for (const words of [
    ['audit', 'export'],
    ['config', 'export'],
    ['keys', 'list'],
  ])
    expect({ words, ...(await vrataUnread(settings, ...words)) }).toEqual({ words, code: 0, stderr: '' })
})

test.skipIf(!existsSync('/dev/full'))('what cannot be printed, as on a full disk, is a failure', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const { database_url: url, data_dir: dataDir, secret } = server.config
  const settings = { ...settingsOf({ url, dataDir }), VRATA_SECRET: secret }
  const listed = await vrataOnFullDisk(settings, 'keys', 'list')
  expect(listed).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^The command has done its work, but .*ENOSPC.*\n$/),
  })
  const exported = await vrataOnFullDisk(settings, 'config', 'export')
  expect(exported).toEqual({ code: 1, stderr: 'A file cannot be read or written: the disk is full.\n' })
})
