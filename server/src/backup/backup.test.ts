import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openStore } from '../../test/databases/open-store.ts'
import { pausingProxy } from '../../test/databases/pausing-proxy.ts'
import { emptyDatabase, type TestDatabase, testEngine } from '../../test/databases/template-db.ts'
import { type Answer, settingsOf, vrata } from '../../test/processes/vrata-command.ts'
import { openFiles } from '../adapters/media/open-files.ts'
import { readSettings } from '../config/config.ts'
import { fillDatabase } from '../db/copy/fill.ts'
import { type DatabaseLocation, withSnapshot } from '../db/copy/snapshot.ts'
import { migrations } from '../db/migrations/index.ts'
import { openDatabase } from '../db/open.ts'
import { findSetting, upsertSetting } from '../db/settings.ts'
import { createEncryption } from '../lib/encryption.ts'
import { BackupWriter } from './backup-writer.ts'
import { createBackup, type Source } from './create-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { restoredSecrets } from './restored-secrets.ts'
import { sealSecrets } from './sealed-secrets.ts'
import { refuseOtherVersions, type Summary, verifyBackup } from './verify-backup.ts'

const SECRET = 'a secret for tests, of a good length, and of nobody'
const PICTURE = 'f0Q3bX.webp'

function sourceOf(place: DatabaseLocation): Source {
  return { place, url: 'https://id.example.com', ...openFiles({ data_dir: place.dataDir }) }
}

/** A small installation with a picture; resolves with its lines in a file. */
async function exported(): Promise<{ file: string; lines: string[]; source: Source; folder: string }> {
  const { store, url, dataDir } = await openStore()
  await upsertSetting(store.db, 'secret_fingerprint', createEncryption(SECRET).derive('fingerprint', 'vrata'))
  const row = { file: PICTURE, user_id: null, created_at: '2026-11-23', kept_at: '2026-11-23', dropped_at: null }
  await store.db.insertInto('pictures').values(row).execute()
  const source = sourceOf({ url, dataDir })
  for (const size of [64, 128, 256, 512]) {
    await source.media.put(`f0Q3bX-${size}.webp`, bytes(100_000))
  }
  const file = join(dataDir, 'export.jsonl')
  const made = await createBackup(source, file, { secrets: null, compressed: false })
  expect(made.missing).toEqual([])
  return { file, lines: readFileSync(file, 'utf8').trimEnd().split('\n'), source, folder: dataDir }
}

async function* bytes(count: number): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(count, 'vrata')
}

async function emptyPlace(): Promise<TestDatabase> {
  const place = await emptyDatabase()
  onTestFinished(() => place.remove())
  return place
}

async function restoreInto(place: DatabaseLocation, file: string, summary?: Summary): Promise<string[]> {
  const verified = summary ?? (await verifyBackup(file, { rows: false }))
  return (await restoreBackup(file, verified, sourceOf(place), () => {})).migrated
}

async function expectNothingIn(place: TestDatabase): Promise<void> {
  await expect(withSnapshot(place, async () => {})).rejects.toThrow(/no tables|does not exist/)
  const left = readdirSync(place.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(left.map(({ name }) => name)).toEqual([])
}

/** The lines with a last line that fits them, as an attacker who knows the format would write it. */
function completed(lines: string[]): string {
  const body = lines.slice(0, -1).map((line) => `${line}\n`)
  const end = JSON.parse(lines.at(-1) as string)
  const sha256 = createHash('sha256').update(body.join('')).digest('hex')
  return `${body.join('')}${JSON.stringify({ ...end, sha256 })}\n`
}

test('a damaged or incomplete file is refused as a whole, wherever the damage is', async () => {
  const { file, lines, folder } = await exported()
  const whole = readFileSync(file)
  const compressed = gzipSync(whole)
  const damagedFile = join(folder, 'damaged')
  const refused = async (content: Buffer | string) => {
    writeFileSync(damagedFile, content)
    for (const rows of [true, false])
      await expect(verifyBackup(damagedFile, { rows })).rejects.toThrow(
        /not a complete backup|no backup of Vrata|has format/,
      )
  }
  for (const content of [whole, compressed]) {
    for (let i = 0; i < 12; i += 1) {
      const at = Math.floor((content.length * i) / 12)
      const changed = Buffer.from(content)
      changed[at] = (changed[at] as number) ^ 1
      // Byte 8 and 9 of gzip say how it was compressed and where; they are not part of the content.
      if (content !== compressed || at > 9) await refused(changed)
      await refused(content.subarray(0, at))
    }
    await refused(content.subarray(0, -1))
  }
  const rows = lines.findIndex((line) => line.startsWith('["'))
  await refused(completed(lines.toSpliced(rows, 1)))
  await refused(completed(lines.toSpliced(rows, 0, lines[rows] as string)))
  await refused(Buffer.concat([whole, Buffer.from('{}\n')]))
})

test('a backup with a changed row and a matching hash of the file is refused, and restoring it leaves nothing behind', async () => {
  const { lines, folder } = await exported()
  const file = join(folder, 'changed')
  const place = await emptyPlace()
  const at = lines.findIndex((line) => line.startsWith('["'))
  const row = JSON.parse(lines[at] as string) as unknown[]
  for (const changed of [[1], [...row.slice(0, -1), 'changed']]) {
    writeFileSync(file, completed(lines.toSpliced(at, 1, JSON.stringify(changed))))
    await expect(verifyBackup(file)).rejects.toThrow('not a complete backup')
    await expect(restoreInto(place, file)).rejects.toThrow(/not a complete backup|not stored as they are in the backup/)
    await expectNothingIn(place)
  }
})

test('a file that is damaged between verification and restoring leaves nothing behind', async () => {
  const { file, lines } = await exported()
  const summary = await verifyBackup(file)
  const place = await emptyPlace()
  writeFileSync(file, `${lines.slice(0, -1).join('\n')}\n`)
  await expect(restoreInto(place, file, summary)).rejects.toThrow('it ends too early')
  await expectNothingIn(place)
})

test('tables that the schema of the backup does not have, or has in addition, are refused', async () => {
  const { lines, folder } = await exported()
  const file = join(folder, 'changed.jsonl')
  const [from, to] = ['{"table":"throttles"', '{"table":"tokens"'].map((start) =>
    lines.findIndex((line) => line.startsWith(start)),
  ) as [number, number]
  const end = JSON.parse(lines.at(-1) as string)
  const without = [...lines.toSpliced(from, to - from).slice(0, -1), JSON.stringify({ ...end, tables: end.tables - 1 })]
  writeFileSync(file, completed(without))
  const place = await emptyPlace()
  await expect(restoreInto(place, file)).rejects.toThrow('throttles')
  await expectNothingIn(place)
})

test('a backup is restored into an empty place only, and a backup never replaces a file', async () => {
  const { file, source } = await exported()
  await expect(restoreInto(source.place, file)).rejects.toThrow('into an empty place only')
  await expect(createBackup(source, file, { secrets: null, compressed: true })).rejects.toThrow('exists already')
  const place = await emptyPlace()
  const { media } = sourceOf(place)
  await media.put('f0Q3bX-64.webp', bytes(7))
  await expect(restoreInto(place, file)).rejects.toThrow('exists already with another content')
  await expect(withSnapshot(place, async () => {})).rejects.toThrow(/no tables|does not exist/)
  // The picture that was there stays, the others are removed again; an interrupted restore can be repeated.
  expect(readdirSync(join(place.dataDir, 'media'))).toEqual(['f0Q3bX-64.webp'])
  await media.remove('f0Q3bX-64.webp')
  await media.put('f0Q3bX-64.webp', bytes(100_000))
  expect(await restoreInto(place, file)).toEqual([])
  expect(readdirSync(join(place.dataDir, 'media'))).toHaveLength(4)
})

test('a backup is complete, and the command says so, although the database cannot note its time', async () => {
  const { store, url, dataDir } = await openStore()
  const settings = { ...settingsOf({ url, dataDir }), VRATA_SECRET: SECRET }
  const file = join(dataDir, 'backup.gz')
  const answer = await store.transaction(
    async ({ db }) => {
      // Keeps others from writing the same row, and SQLite from writing any.
      await upsertSetting(db, 'last_backup', '2026-11-01')
      let answered: Answer | undefined
      const made = vrata(settings, 'backup', file).then((answer) => {
        answered = answer
      })
      // PostgreSQL ends a transaction in which nothing happens.
      while (!answered) {
        await Promise.race([made, pause(1000)])
        await findSetting(db, 'last_backup')
      }
      return answered
    },
    { timeout: 120_000 },
  )
  expect(answer).toMatchObject({ code: 0, stdout: expect.stringContaining(`${file}: `) })
  expect(answer.stderr).toMatch(
    /^The backup is complete, but its time could not be noted for "vrata doctor" and alerts\. The/,
  )
  expect(await vrata(settings, 'verify', file)).toMatchObject({ code: 0 })
})

test('two backups into one file at once: one is complete, the other refused; the part of a killed backup does not matter', async () => {
  const { source, folder } = await exported()
  const file = join(folder, 'twice.gz')
  const make = () => createBackup(source, file, { secrets: null, compressed: true })
  const made = await Promise.allSettled([make(), make()])
  expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await verifyBackup(file)
  const { reason } = made.find((one) => one.status === 'rejected') as PromiseRejectedResult
  expect(reason.message).toMatch(/^Another backup writes .*twice\.gz\.part\b/)

  rmSync(file)
  writeFileSync(`${file}.part`, 'half')
  await expect(make()).rejects.toThrow('Another backup writes')
  const before = new Date(Date.now() - 3_600_000)
  utimesSync(`${file}.part`, before, before)
  await make()
  await verifyBackup(file)
})

test('the part of a running backup is never treated as that of a killed one, however long it waits', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { dataDir } = await emptyPlace()
  const file = join(dataDir, 'waiting.jsonl')
  const header = { version: '0.1.0', created_at: '2026-11-30', url: 'https://id.example.com', secrets: null }
  const begin = () => BackupWriter.create(file, header, false)
  const writer = await begin()
  await expect.poll(() => statSync(`${file}.part`).size).toBeGreaterThan(0)
  const before = new Date(Date.now() - 3_600_000)
  utimesSync(`${file}.part`, before, before)
  vi.advanceTimersByTime(60_000)
  await expect.poll(() => statSync(`${file}.part`).mtimeMs).toBeGreaterThan(before.getTime() + 1_800_000)
  await expect(begin()).rejects.toThrow('Another backup writes')
  await writer.abandon()
  expect(readdirSync(dataDir)).toEqual([])
})

test('two restores into the same place at once: one is refused, and the other is complete', async () => {
  const { file } = await exported()
  const place = await emptyPlace()
  // Files as a killed restore leaves them.
  writeFileSync(join(place.dataDir, 'vrata.sqlite.part'), 'half')
  const ended = await Promise.allSettled([restoreInto(place, file), restoreInto(place, file)])
  expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const { reason } = ended.find((one) => one.status === 'rejected') as PromiseRejectedResult
  expect(reason.message).toMatch(/Another command fills|has tables/)
  expect(readdirSync(join(place.dataDir, 'media'))).toHaveLength(4)
  const store = await openDatabase(place)
  onTestFinished(() => store.close())
  expect(await store.read.selectFrom('pictures').select('file').execute()).toEqual([{ file: PICTURE }])
})

test('a failed restore reports its cause, also when a copied file cannot be removed', async () => {
  const { file } = await exported()
  const place = await emptyPlace()
  const { media, ...others } = sourceOf(place)
  const kept = 'f0Q3bX-128.webp'
  const removed: string[] = []
  const remove = async (name: string) => {
    if (name === kept) throw new Error('The disk does not answer.')
    removed.push(name)
    await media.remove(name)
  }
  const stuck = { ...others, media: Object.assign(Object.create(media), { remove }) }
  const failed = restoreBackup(file, await verifyBackup(file, { rows: false }), stuck, () => {
    throw new Error('The secret could not be written.')
  })
  await expect(failed).rejects.toThrow(
    `The secret could not be written. These copied files could not be removed: ${kept}`,
  )
  expect(removed).toHaveLength(3)
})

test.runIf(testEngine === 'postgres')(
  'a restore that is committed keeps its pictures, although the connection was lost with the answer',
  async () => {
    const { file } = await exported()
    const place = await emptyPlace()
    const url = new URL(place.url as string)
    const proxy = await pausingProxy({ host: url.hostname, port: Number(url.port) })
    url.host = `127.0.0.1:${proxy.port}`
    const summary = await verifyBackup(file, { rows: false })
    const destination = sourceOf({ ...place, url: url.href })
    expect(await restoreBackup(file, summary, destination, proxy.loseNextAnswer)).toEqual({ migrated: [] })
    expect(readdirSync(join(place.dataDir, 'media'))).toHaveLength(4)
    await expect(restoreInto(place, file)).rejects.toThrow('into an empty place only')
    expect(readdirSync(join(place.dataDir, 'media'))).toHaveLength(4)
  },
)

test('a backup of an older schema is restored and migrated, one of a newer schema or version is refused', async () => {
  const older = Object.keys(migrations).slice(0, -4)
  const old = await emptyPlace()
  await fillDatabase(old, async (target) => void (await target.migrate(older)))
  const file = join(old.dataDir, 'old.gz')
  await createBackup(sourceOf(old), file, { secrets: null, compressed: true })
  const place = await emptyPlace()
  expect(await restoreInto(place, file)).toEqual(Object.keys(migrations).slice(-4))
  const store = await openDatabase(place)
  onTestFinished(() => store.close())
  expect(await store.pendingMigrations()).toEqual([])

  const { header, database } = await verifyBackup(file)
  const newer = { ...database, migrations: [...older, '9001-flying'] }
  expect(() => refuseOtherVersions({ header: { ...header, version: '0.9.0' }, database: newer })).toThrow(
    /newer version of Vrata \(0\.9\.0\).*9001-flying/,
  )
  expect(() => refuseOtherVersions({ header: { ...header, version: '7.1.0' }, database })).toThrow('version 7.x')
  await sql`insert into migrations (name, applied_at) values ('9001-flying', '2026-11-23')`.execute(store.db)
  const again = createBackup(sourceOf(place), join(place.dataDir, 'new.gz'), { secrets: null, compressed: true })
  await expect(again).rejects.toThrow('A newer version of Vrata has migrated the database: 9001-flying')
})

test('the restored installation has the secret of the backup, or restoring is refused', async () => {
  const { file } = await exported()
  const { dataDir } = await emptyPlace()
  const without = await verifyBackup(file)
  const sealed = sealSecrets([SECRET], 'seven doors and no key')
  const withSecret = { ...without, header: { ...without.header, secrets: sealed } }
  const secretsFor = (env: Record<string, string>, summary: Summary, passphrase = 'seven doors and no key') =>
    restoredSecrets(readSettings({ VRATA_DATA_DIR: dataDir, ...env }), summary, async () => passphrase)
  const another = { VRATA_SECRET: 'the secret of another installation' }
  expect(await secretsFor({ VRATA_SECRET: SECRET }, without)).toEqual([])
  expect(await secretsFor({ ...another, VRATA_OLD_SECRET: SECRET }, without)).toEqual([])
  expect(await secretsFor({}, withSecret)).toEqual([SECRET])
  await expect(secretsFor({}, without)).rejects.toThrow('The backup has no secret')
  await expect(secretsFor(another, withSecret)).rejects.toThrow('VRATA_SECRET is not the secret of the backup')
  await expect(secretsFor({}, withSecret, 'eight doors and no key')).rejects.toThrow('does not open')
  writeFileSync(join(dataDir, 'secret'), another.VRATA_SECRET)
  await expect(secretsFor({}, withSecret)).rejects.toThrow('is not the one of the backup')
})

test('a restore that fails at its end, when the secret is written already, leaves no secret behind', async () => {
  const { source, folder } = await exported()
  const passphrase = 'seven doors and no key'
  const file = join(folder, 'with-secret')
  await createBackup(source, file, { secrets: sealSecrets([SECRET], passphrase), compressed: true })
  const place = await emptyDatabase('sqlite')
  onTestFinished(() => place.remove())
  // The new file cannot take its name while a folder has that of its journal.
  const inTheWay = join(place.dataDir, 'vrata.sqlite-journal')
  mkdirSync(inTheWay)
  const settings = { ...settingsOf(place), VRATA_BACKUP_PASSPHRASE: passphrase }
  expect(await vrata(settings, 'restore', file)).toMatchObject({ code: 1, stdout: '' })
  expect(readdirSync(place.dataDir)).not.toContain('secret')
  rmdirSync(inTheWay)
  expect(await vrata(settings, 'restore', file)).toMatchObject({ code: 0 })
  expect(readdirSync(place.dataDir)).toEqual(expect.arrayContaining(['secret', 'vrata.sqlite']))
})

test('wrong words get a sentence and exit code 2, what fails one and exit code 1, and no secret is created', async () => {
  const place = await emptyPlace()
  const run = (...words: string[]) => vrata(settingsOf(place), ...words)
  expect(await run('verify')).toEqual({ code: 2, stdout: '', stderr: 'Give the name of one file.\n' })
  const missing = join(place.dataDir, 'none.gz')
  expect(await run('restore', missing)).toEqual({ code: 1, stdout: '', stderr: `${missing} does not exist.\n` })
  await expectNothingIn(place)
})
