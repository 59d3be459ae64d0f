import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { account } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../../scripts/free-port.ts'
import { findVersityGateway, type S3Server, startS3Server } from '../../../test/adapters/s3-server.ts'
import { emptyDatabase } from '../../../test/databases/template-db.ts'
import { people } from '../../../test/people.ts'
import { fileOf, halves } from '../../../test/pictures.ts'
import { startTestServer } from '../../../test/test-server.ts'
import { createBackup } from '../../backup/create-backup.ts'
import { restoreBackup } from '../../backup/restore-backup.ts'
import { verifyBackup } from '../../backup/verify-backup.ts'
import { ConfigError, readSettings } from '../../config/config.ts'
import type { Files } from './files.ts'
import { openFiles } from './open-files.ts'

const program = findVersityGateway()
const filesOf = (settings: Record<string, string>) =>
  openFiles(readSettings({ VRATA_DATA_DIR: '/nowhere', ...settings }))

async function* pieces(content: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += 100_000) yield content.subarray(at, at + 100_000)
}

async function read(files: Files, name: string): Promise<{ bytes: number; content: Buffer } | undefined> {
  const found = await files.open(name)
  if (!found) return undefined
  const chunks: Uint8Array[] = []
  for await (const chunk of found.body) chunks.push(chunk)
  return { bytes: found.bytes, content: Buffer.concat(chunks) }
}

describe.skipIf(!program)('files in an S3-compatible store (skipped where versitygw is not installed)', () => {
  let store: S3Server
  beforeAll(async () => {
    store = await startS3Server(program as string)
  })
  afterAll(() => store?.close())

  test('are written, read and removed, small ones and ones of several parts', async () => {
    const { media, archives } = filesOf(store.settings)
    for (const size of [0, 3000, 20_000_000]) {
      const content = randomBytes(size)
      expect(await media.put('picture.webp', pieces(content))).toBe(size)
      const found = await read(media, 'picture.webp')
      expect(found?.bytes).toBe(size)
      expect(found?.content.equals(content)).toBe(true)
    }
    expect(existsSync(join(store.folder, 'installation/media/picture.webp'))).toBe(true)
    expect(await archives.open('picture.webp')).toBeUndefined()
    await media.remove('picture.webp')
    await media.remove('picture.webp')
    expect(await media.open('picture.webp')).toBeUndefined()
    await expect(media.open('../secret.webp')).rejects.toThrow('is no name')
  })

  test('a file whose content fails does not appear', async () => {
    const { archives } = filesOf(store.settings)
    const broken = async function* () {
      yield randomBytes(9_000_000)
      throw new Error('the disk is gone')
    }
    await expect(archives.put('half.zip', broken())).rejects.toThrow('the disk is gone')
    expect(await archives.open('half.zip')).toBeUndefined()
    expect(readdirSync(store.folder, { recursive: true }).filter((name) => String(name).endsWith('half.zip'))).toEqual(
      [],
    )
  })

  test('with wrong credentials, or without an answer, a call may succeed later', async () => {
    const wrong = filesOf({ ...store.settings, AWS_SECRET_ACCESS_KEY: 'another password' })
    await expect(wrong.media.open('picture.webp')).rejects.toMatchObject({ code: 'unavailable' })
    const silent = filesOf({
      ...store.settings,
      VRATA_MEDIA_URL: `s3://vrata-files?endpoint=http://127.0.0.1:${await freePort()}`,
    })
    await expect(silent.media.put('picture.webp', pieces(randomBytes(10)))).rejects.toMatchObject({
      code: 'unavailable',
    })
  })

  test('pictures of people are there, and a backup moves them into the data folder', async () => {
    const server = await startTestServer(store.settings)
    const ana = await server.as(people.ana)
    const picture = new Uint8Array(await halves('png'))
    const answer = await ana.call(account.setProfilePicture, { profile_picture: fileOf(picture) })
    if (!answer.ok) throw new Error(JSON.stringify(answer.problem))
    const name = answer.data.profile_picture as string
    const shown = await ana.request({ url: `/v1/media/${name}?size=256` })
    expect(shown).toMatchObject({ statusCode: 200, headers: { 'content-type': 'image/webp' } })
    expect(existsSync(join(server.config.data_dir, 'media'))).toBe(false)

    const { config } = server
    const file = join(config.data_dir, 'backup.gz')
    const place = { url: config.database_url, dataDir: config.data_dir }
    const source = { place, url: config.url, ...openFiles(config) }
    const made = await createBackup(source, file, { secrets: null, compressed: true })
    expect(made.missing).toEqual([])
    const empty = await emptyDatabase()
    const destination = openFiles({ data_dir: empty.dataDir })
    await restoreBackup(file, await verifyBackup(file), { place: empty, ...destination }, () => {})
    const [restored] = readdirSync(join(empty.dataDir, 'media')).filter((one) => one.includes('-256'))
    expect((await read(destination.media, String(restored)))?.content.equals(shown.rawPayload)).toBe(true)
    await empty.remove()
    await server.close()
  })
})

test.each([
  ['files', 'must be like s3://'],
  ['https://bucket', 'must be like s3://'],
  ['s3://B', 'must name a bucket'],
  ['s3://key:secret@bucket', 'must have no credentials'],
  ['s3://bucket?acl=public', 'unknown parameter acl'],
  ['s3://bucket?endpoint=minio:9000', 'http or https URL as endpoint'],
  ['s3://bucket?path_style=1', 'on or off as path_style'],
])('VRATA_MEDIA_URL=%s is refused: %s', (url, says) => {
  expect(() => readSettings({ VRATA_DATA_DIR: '/nowhere', VRATA_MEDIA_URL: url })).toThrow(ConfigError)
  expect(() => readSettings({ VRATA_DATA_DIR: '/nowhere', VRATA_MEDIA_URL: url })).toThrow(says)
})

test('a key without its secret is refused', () => {
  const settings = { VRATA_DATA_DIR: '/nowhere', VRATA_MEDIA_URL: 's3://bucket', AWS_ACCESS_KEY_ID: 'AKIA' }
  expect(() => readSettings(settings)).toThrow('AWS_SECRET_ACCESS_KEY')
})
