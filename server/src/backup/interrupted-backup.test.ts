import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { constants } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../test/databases/open-store.ts'
import { emptyDatabase } from '../../test/databases/template-db.ts'
import { createHangingFile } from '../../test/processes/hanging-file.ts'
import { settingsOf, startVrata } from '../../test/processes/vrata-command.ts'
import type { Files } from '../adapters/media/files.ts'
import { openFiles } from '../adapters/media/open-files.ts'
import { openBucket, s3Files } from '../adapters/media/s3-files.ts'
import { failureSentence } from '../commands/failure.ts'
import { withSnapshot } from '../db/copy/snapshot.ts'
import { Interrupted } from '../lib/interruption.ts'
import { BackupWriter } from './backup-writer.ts'
import { createBackup } from './create-backup.ts'
import { restoreBackup } from './restore-backup.ts'
import { verifyBackup } from './verify-backup.ts'

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a backup that is ended by %s leaves no part of its file',
  async (signal) => {
    const { store, url, dataDir } = await openStore()
    const row = {
      file: 'f0Q3bX.webp',
      user_id: null,
      created_at: '2026-11-23',
      kept_at: '2026-11-23',
      dropped_at: null,
    }
    await store.db.insertInto('pictures').values(row).execute()
    // A store of pictures that does not answer.
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const file = join(dataDir, 'backup.gz')
    const settings = {
      VRATA_SECRET: 'a secret for tests, of a good length, and of nobody',
      VRATA_MEDIA_URL: `s3://files?endpoint=http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
    }
    const { kill, exit } = startVrata({ ...settingsOf({ url, dataDir }), ...settings }, 'backup', file)
    onTestFinished(() => {
      kill('SIGKILL')
      silent.close()
    })
    await once(silent, 'connection')
    expect(existsSync(`${file}.part`)).toBe(true)
    kill(signal)
    expect(await exit).toBe(128 + constants.signals[signal])
    expect(readdirSync(dataDir).filter((name) => name.startsWith('backup'))).toEqual([])
  },
)

test.each([
  ['breaks off', 'aborted', (answer: ServerResponse) => void setTimeout(() => answer.destroy(), 100)],
  ['falls silent', 'it has not answered for 0.5 s', () => {}],
] as const)(
  'a backup whose store of pictures %s in the middle of one says so, and leaves no part of its file',
  async (_, reason, afterHalf) => {
    const { store, url, dataDir } = await openStore()
    const row = {
      file: 'f0Q3bX.webp',
      user_id: null,
      created_at: '2026-11-23',
      kept_at: '2026-11-23',
      dropped_at: null,
    }
    await store.db.insertInto('pictures').values(row).execute()
    const half = createHttpServer((_, answer) => {
      answer.writeHead(200, { 'content-length': 100 }).write('half a picture')
      afterHalf(answer)
    }).listen(0, '127.0.0.1')
    await once(half, 'listening')
    onTestFinished(() => {
      half.closeAllConnections()
      half.close()
    })
    const { settings, client } = openBucket({
      bucket: 'files',
      prefix: '',
      region: 'us-east-1',
      endpoint: `http://127.0.0.1:${(half.address() as AddressInfo).port}`,
      path_style: true,
      credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    })
    const media = s3Files({ settings, client }, 'media', 500)
    const { archives } = openFiles({ data_dir: dataDir })
    const source = { place: { url, dataDir }, url: 'https://id.example.com', media, archives }
    const made = createBackup(source, join(dataDir, 'backup.gz'), { secrets: null, compressed: true })
    expect(failureSentence(await made.catch((error: unknown) => error))).toBe(
      `The store of pictures and archives cannot be used: ${reason}`,
    )
    expect(readdirSync(dataDir).filter((name) => name.startsWith('backup'))).toEqual([])
  },
)

test('a backup ends with a sentence when the disk of its file does not answer', async () => {
  const { dataDir } = await openStore()
  const hanging = join(dataDir, 'hanging')
  const answer = createHangingFile(hanging)
  const disk = { open: () => open(hanging, 'r+'), patience: 300 }
  const file = join(dataDir, 'backup.jsonl')
  const header = { version: '0.1.0', created_at: '2026-12-01', url: 'https://id.example.com', secrets: null }
  const writer = await BackupWriter.create(file, header, false, disk)
  onTestFinished(async () => {
    const answering = answer()
    await writer.abandon()
    answering.end()
  })
  const pieces = Readable.from(Array.from({ length: 30 }, () => Buffer.alloc(100_000)))
  await expect(writer.file('media', 'f0Q3bX.webp', pieces)).rejects.toThrow(
    `${file}: its disk has not answered for 0.3 seconds; is it away?`,
  )
  const silent = { open: () => new Promise<never>(() => {}), patience: 10 }
  await expect(BackupWriter.create(file, header, false, silent)).rejects.toThrow('has not answered')
})

test.skipIf(!existsSync('/dev/full'))('a backup on a full disk names its file and leaves no part of it', async () => {
  const { store, url, dataDir } = await openStore()
  await store.db
    .insertInto('settings')
    .values({ key: 'large', value: 'x'.repeat(300_000) })
    .execute()
  const file = join(dataDir, 'backup.gz')
  for (const compressed of [true, false]) {
    const source = { place: { url, dataDir }, url: 'https://id.example.com', ...openFiles({ data_dir: dataDir }) }
    const disk = { open: () => open('/dev/full', 'r+') }
    const made = createBackup(source, file, { secrets: null, compressed }, disk)
    expect(failureSentence(await made.catch((error: unknown) => error))).toBe(`${file}: the disk is full.`)
    expect(readdirSync(dataDir).filter((name) => name.startsWith('backup'))).toEqual([])
  }
})

test('a restore that is interrupted leaves nothing behind', async () => {
  const { store, url, dataDir } = await openStore()
  const row = { file: 'f0Q3bX.webp', user_id: null, created_at: '2026-11-23', kept_at: '2026-11-23', dropped_at: null }
  await store.db.insertInto('pictures').values(row).execute()
  const files = openFiles({ data_dir: dataDir })
  await files.media.put('f0Q3bX-64.webp', Readable.from([Buffer.from('a picture')]))
  const file = join(dataDir, 'backup.jsonl')
  const options = { secrets: null, compressed: false }
  await createBackup({ place: { url, dataDir }, url: 'https://id.example.com', ...files }, file, options)

  const place = await emptyDatabase()
  onTestFinished(() => place.remove())
  const interruption = new AbortController()
  const { media, archives } = openFiles({ data_dir: place.dataDir })
  const put: Files['put'] = async (name, content) => {
    const bytes = await media.put(name, content)
    interruption.abort(new Interrupted('SIGINT'))
    return bytes
  }
  const destination = { place, media: { ...media, put }, archives }
  const restored = restoreBackup(file, await verifyBackup(file), destination, () => {}, interruption.signal)
  await expect(restored).rejects.toMatchObject({ message: 'Interrupted by SIGINT.', exitCode: 130 })
  await expect(withSnapshot(place, async () => {})).rejects.toThrow(/no tables|does not exist/)
  const left = readdirSync(place.dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(left.map(({ name }) => name)).toEqual([])
})
