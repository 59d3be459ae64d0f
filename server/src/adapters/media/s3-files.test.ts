import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { account } from '@vrata/contract'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
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

test('a large file that the store does not take may be sent again later', async () => {
  const endpoint = `http://127.0.0.1:${await freePort()}`
  const settings = { VRATA_MEDIA_URL: `s3://vrata-files?endpoint=${endpoint}`, ...KEYS }
  const sent = filesOf(settings).archives.put('large.zip', pieces(randomBytes(20_000_000)))
  await expect(sent).rejects.toMatchObject({ code: 'unavailable', cause: { code: 'ECONNREFUSED' } })
})

test.each(['while the first part is sent', 'between two parts'])(
  'no part is left of a file whose content fails %s',
  async (when) => {
    const store = await slowStore()
    const failing = async function* () {
      yield randomBytes(9_000_000)
      await (when === 'between two parts' ? store.stored : pause(100))
      throw new Error('the disk is gone')
    }
    const { archives } = filesOf({ VRATA_MEDIA_URL: `s3://vrata-files?endpoint=${store.endpoint}`, ...KEYS })
    await expect(archives.put('half.zip', failing())).rejects.toThrow('the disk is gone')
    expect(store.requests).toEqual(['POST ?uploads', 'PUT ?partNumber', 'DELETE ?uploadId'])
  },
)

const KEYS = { AWS_ACCESS_KEY_ID: 'vrata', AWS_SECRET_ACCESS_KEY: 'a password of the store' }

/** Answers each request of an upload in parts after 300 ms; `stored` resolves when it has stored the first part. */
async function slowStore() {
  const requests: string[] = []
  const stored = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost')
    const parameter = ['uploads', 'partNumber', 'uploadId'].find((name) => searchParams.has(name))
    request.resume()
    await pause(300)
    requests.push(`${request.method} ?${parameter}`)
    if (parameter === 'uploads')
      return void response.end('<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>')
    if (request.method === 'PUT') setTimeout(stored.resolve, 100)
    response.writeHead(request.method === 'DELETE' ? 204 : 200, { etag: '"1"' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { requests, stored: stored.promise, endpoint: `http://127.0.0.1:${port}` }
}

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
