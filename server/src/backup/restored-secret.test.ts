import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { openStore } from '../../test/databases/open-store.ts'
import { emptyDatabase, type TestDatabase } from '../../test/databases/template-db.ts'
import { settingsOf, vrata } from '../../test/processes/vrata-command.ts'
import { openFiles } from '../adapters/media/open-files.ts'
import { readSettings } from '../config/config.ts'
import { readOrCreateSecret } from '../config/secret-files.ts'
import { withSnapshot } from '../db/copy/snapshot.ts'
import { upsertSetting } from '../db/settings.ts'
import { createEncryption } from '../lib/encryption.ts'
import { restore } from './commands.ts'
import { createBackup } from './create-backup.ts'
import { sealSecrets } from './sealed-secrets.ts'

const SECRET = 'a secret for tests, of a good length, and of nobody'
const PASSPHRASE = 'seven doors and no key'

afterEach(() => vi.restoreAllMocks())

/** A backup with its secret, and an empty place for it. */
async function backupWithSecret(): Promise<{ file: string; place: TestDatabase; secretIn: () => string }> {
  const { store, url, dataDir } = await openStore()
  await upsertSetting(store.db, 'secret_fingerprint', createEncryption(SECRET).derive('fingerprint', 'vrata'))
  const file = join(dataDir, 'with-secret')
  const source = { place: { url, dataDir }, url: 'https://id.example.com', ...openFiles({ data_dir: dataDir }) }
  await createBackup(source, file, { secrets: sealSecrets([SECRET], PASSPHRASE), compressed: true })
  const place = await emptyDatabase()
  onTestFinished(() => place.remove())
  return { file, place, secretIn: () => readFileSync(join(place.dataDir, 'secret'), 'utf8').trim() }
}

test('two restores at once: the refused one leaves the secret of the other', async () => {
  const { file, place, secretIn } = await backupWithSecret()
  const settings = { ...settingsOf(place), VRATA_BACKUP_PASSPHRASE: PASSPHRASE }
  const answers = await Promise.all([1, 2].map(() => vrata(settings, 'restore', file)))
  expect(answers.map(({ code }) => code).sort()).toEqual([0, 1])
  expect(secretIn()).toBe(SECRET)
})

test('a server that is started during a restore keeps its secret, and the restore is refused', async () => {
  const { file, place, secretIn } = await backupWithSecret()
  let created: string | undefined
  const settings = {
    ...readSettings(settingsOf(place)),
    // Simulates the time in which the operator is asked for the passphrase.
    get backup_passphrase() {
      created = readOrCreateSecret(place.dataDir)
      return PASSPHRASE
    },
  }
  vi.spyOn(console, 'log').mockImplementation(() => {})
  await expect(restore(settings, [file])).rejects.toThrow(
    `A server or another restore has created a secret in ${place.dataDir} meanwhile, so nothing was restored.`,
  )
  expect(secretIn()).toBe(created)
  await expect(withSnapshot(place, async () => {})).rejects.toThrow(/no tables|does not exist/)
})
