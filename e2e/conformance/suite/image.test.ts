import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { downloadFromImage } from './image.ts'

/** A registry that issues anonymous tokens, and whose layers are on another host, as on GitLab. */
let registry: Server
let storage: Server
let folder: string
const blobs = new Map<string, Buffer>()
const requests: string[] = []
let tag: string

const listen = (listener: RequestListener) =>
  new Promise<Server>((resolve) => {
    const server = createServer(listener).listen(0, '127.0.0.1', () => resolve(server))
  })
const hostOf = (server: Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`
const add = (content: Buffer) => {
  const digest = `sha256:${createHash('sha256').update(content).digest('hex')}`
  blobs.set(digest, content)
  return { digest, size: content.length }
}
const addJson = (value: unknown) => add(Buffer.from(JSON.stringify(value)))

/** A layer with these files. */
async function addLayer(files: Record<string, string>) {
  const source = await mkdtemp(join(folder, 'layer-'))
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(source, path)), { recursive: true })
    await writeFile(join(source, path), text)
  }
  return add(
    execFileSync('tar', ['-czf', '-', '-C', source, ...new Set(Object.keys(files).map((p) => p.split('/')[0] ?? p))]),
  )
}

const architecture = process.arch === 'x64' ? 'amd64' : process.arch
const image = (reference: string) => `${hostOf(registry)}/makers/program${reference}`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vrata-image-'))
  storage = await listen(({ url = '', headers }, response) => {
    expect(headers.authorization).toBeUndefined()
    response.end(blobs.get(url.slice(1)))
  })
  registry = await listen(({ url = '', headers }, response) => {
    requests.push(url)
    const token = url === '/token?service=images&scope=repository%3Amakers%2Fprogram%3Apull'
    if (token) return response.end(JSON.stringify({ token: 'for everybody' }))
    if (headers.authorization !== 'Bearer for everybody') {
      const challenge = `Bearer realm="http://${hostOf(registry)}/token",service="images",scope="repository:makers/program:pull"`
      return response.writeHead(401, { 'www-authenticate': challenge }).end()
    }
    const [, kind, reference = ''] = /^\/v2\/makers\/program\/(manifests|blobs)\/(.+)$/.exec(url) ?? []
    const digest = reference === 'v1' ? tag : reference
    if (!blobs.has(digest)) return response.writeHead(404).end()
    if (kind === 'blobs') return response.writeHead(307, { location: `http://${hostOf(storage)}/${digest}` }).end()
    response.end(blobs.get(digest))
  })
  const layers = [
    await addLayer({ 'etc/name': 'not asked for' }),
    await addLayer({ 'opt/java/bin/java': 'runs', 'opt/javadoc': 'not asked for' }),
    await addLayer({ 'server/program.jar': 'the program', 'server/notes': 'not asked for' }),
  ]
  const others = addJson({ layers: [] })
  const own = addJson({ layers })
  const manifests = [
    { ...others, platform: { os: 'linux', architecture: 'of another processor' } },
    { ...own, platform: { os: 'linux', architecture } },
  ]
  tag = addJson({ manifests }).digest
})
beforeEach(() => requests.splice(0))
afterAll(async () => {
  registry.close()
  storage.close()
  await rm(folder, { recursive: true })
})

test('downloads what is asked for from the image for this processor, with its path, and no layer more', async () => {
  const into = join(folder, 'program')
  await downloadFromImage(image(':v1'), ['server/program.jar'], into)
  expect(await readFile(join(into, 'server/program.jar'), 'utf8')).toBe('the program')
  expect(existsSync(join(into, 'server/notes'))).toBe(false)
  expect(requests.filter((url) => url.includes('/blobs/'))).toHaveLength(1)
})

test('downloads a folder from an earlier layer, by the digest of the image', async () => {
  const into = join(folder, 'both')
  await downloadFromImage(image(`:any@${tag}`), ['server/program.jar', 'opt/java'], into)
  expect(await readFile(join(into, 'opt/java/bin/java'), 'utf8')).toBe('runs')
  expect([existsSync(join(into, 'server/program.jar')), existsSync(join(into, 'opt/javadoc'))]).toEqual([true, false])
  expect(requests.filter((url) => url.includes('/blobs/'))).toHaveLength(2)
})

test('says what the image does not have', async () => {
  const into = join(folder, 'nothing')
  await expect(downloadFromImage(image(':v1'), ['server/other.jar'], into)).rejects.toThrow('has no server/other.jar')
  await expect(downloadFromImage(image(':v2'), ['server/program.jar'], into)).rejects.toThrow('/v2 answered 404')
})

test('accepts neither a layer nor a manifest with another digest', async () => {
  const forged = await addLayer({ 'server/program.jar': 'another program' })
  const { digest } = addJson({ layers: [forged] })
  blobs.set(forged.digest, await readFile(import.meta.filename))
  const into = join(folder, 'forged')
  await expect(downloadFromImage(image(`@${digest}`), ['server/program.jar'], into)).rejects.toThrow(
    `${forged.digest} was asked for`,
  )
  expect(existsSync(join(into, 'server'))).toBe(false)
  blobs.set(digest, Buffer.from('{}'))
  await expect(downloadFromImage(image(`@${digest}`), [], into)).rejects.toThrow(`${digest} was asked for`)
})
