import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, existsSync, openSync, rmSync } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { account } from '@vrata/contract'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ISSUER_CHANNEL } from '../src/issuer/keys/issuer-channel.ts'
import { createOrganization } from './organization.ts'
import { people } from './people.ts'
import { fileOf, halves } from './pictures.ts'
import { type SignedIn, startTestServer, type TestServer } from './test-server.ts'
import { allow, authorize, codeFor, post, type ThirdParty } from './third-party.ts'

/**
 * Answers for people and apps while a dependency outside the server fails (security §20.19). Mail, the database, an S3-compatible store
 * and the hosts of apps have such tests beside their adapters.
 */
let server: TestServer
let ana: SignedIn
let app: ThirdParty
beforeAll(async () => {
  server = await startTestServer()
  ana = await server.as(people.ana)
  app = await (await createOrganization(server, ana)).app()
  await allow(ana, app)
})
afterAll(() => server?.close())

const media = () => join(server.config.data_dir, 'media')
const change = async () => ana.call(account.setProfilePicture, { profile_picture: fileOf(await halves('png')) })
const look = (file: string | null) => ana.request({ url: `/v1/media/${file}` })

async function picture(): Promise<string | null> {
  const answer = await ana.call(account.getAccount)
  return answer.ok ? answer.data.profile_picture : null
}

test('while the folder of pictures cannot be used, the picture stays, and a change may succeed later', async () => {
  expect(await change()).toMatchObject({ ok: true })
  const before = await picture()
  await rename(media(), `${media()}.away`)
  await writeFile(media(), '')
  const refused = { http: 503, problem: { code: 'unavailable' }, retry_after: expect.any(Number) }
  const answer = await change()
  const shown = await look(before)
  await rm(media())
  await rename(`${media()}.away`, media())

  expect(answer).toMatchObject(refused)
  expect(shown.statusCode).toBe(503)
  expect(shown.headers['retry-after']).toBeDefined()
  for (const body of [JSON.stringify(answer), shown.body]) expect(body).not.toMatch(/ENOTDIR|media/)
  expect(server.logged()).toContain('ENOTDIR')
  expect(await picture()).toBe(before)
  expect((await look(before)).statusCode).toBe(200)
  expect(await change()).toMatchObject({ ok: true })
  expect((await readdir(media())).filter((name) => !name.endsWith('.webp'))).toEqual([])
})

test('a picture that cannot be read is refused as every call is', async () => {
  const name = 'BBBBBBBBBBBBBBBBBBBBBB'
  // A folder can be opened and not read.
  await mkdir(join(media(), `${name}-512.webp`), { recursive: true })
  const shown = await look(`${name}.webp`)
  await rmdir(join(media(), `${name}-512.webp`))
  expect(shown.statusCode).toBe(503)
  expect(shown.headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' })
  expect(shown.json()).toMatchObject({ status: 'error', error: { code: 'unavailable' } })
})

test('while the folder of pictures hangs, people sign in', async () => {
  // Opening a pipe waits for a writer, as opening a file waits for a shared folder that does not answer.
  const name = 'AAAAAAAAAAAAAAAAAAAAAA'
  const pipe = join(media(), `${name}-512.webp`)
  await promisify(execFile)('mkfifo', [pipe])
  // At once: while it hangs no thread may be left, also to end the test.
  const answerAgain = () => {
    if (!existsSync(pipe)) return
    const writer = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
    rmSync(pipe)
    closeSync(writer)
  }
  onTestFinished(answerAgain)
  // One for each thread of Node.js, and more.
  const hanging = Array.from({ length: 40 }, () => look(`${name}.webp`))
  const bor = await server.as(people.bor)
  expect(await bor.call(account.getAccount)).toMatchObject({ ok: true })
  answerAgain()
  const statuses = await Promise.all(hanging.map(async (one) => (await one).statusCode))
  expect(statuses).toContain(404)
})

test('a picture whose reader has gone before it is sent is closed', async () => {
  await change()
  const file = String(await picture())
  const { open } = server.deps.media
  const opened: Awaited<ReturnType<typeof open>>[] = []
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as AddressInfo
  const reader = connect(port, '127.0.0.1')
  const socket = await new Promise<Socket>((resolve) => server.app.server.once('connection', resolve))
  server.deps.media.open = async (name) => {
    reader.destroy()
    await once(socket, 'close')
    opened.push(await open(name))
    return opened[0]
  }
  reader.write(`GET /v1/media/${file} HTTP/1.1\r\nhost: localhost:3000\r\n\r\n`)
  await expect.poll(() => opened[0]?.body.destroyed).toBe(true)
  server.deps.media.open = open
})

test('keys that cannot be read do not replace those in use', async () => {
  const keys = await server.store.db.selectFrom('signing_keys').selectAll().execute()
  const { form } = await codeFor(ana, app)
  await server.store.db.updateTable('signing_keys').set({ jwk: 'damaged', state: 'next' }).execute()
  await server.deps.signals.announce(ISSUER_CHANNEL, 'keys')
  await expect.poll(() => server.logged()).toContain('keys or scopes could not be refreshed')

  const tokens = await post(server, app, '/token', form)
  expect(tokens.statusCode).toBe(200)
  const [header = ''] = String(tokens.json().id_token).split('.')
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
  expect(keys).toContainEqual(expect.objectContaining({ kid, state: 'active' }))

  for (const { kid, jwk, state } of keys) {
    await server.store.db.updateTable('signing_keys').set({ jwk, state }).where('kid', '=', kid).execute()
  }
  await server.deps.signals.announce(ISSUER_CHANNEL, 'keys')
  expect((await post(server, app, '/token', (await codeFor(ana, app)).form)).statusCode).toBe(200)
})

test('an app whose host has no address is refused with the reason, and the browser is not sent there', async () => {
  // No such name exists (RFC 6761 §6.4).
  const nowhere = { client_id: 'https://app.invalid/client.json', client_secret: null }
  const page = await authorize(ana, { ...nowhere, redirect_uri: 'https://app.invalid/callback' })
  expect(page.origin).toBe(server.config.url)
  expect(page.searchParams.get('error')).toBe('invalid_client_metadata')
  expect(page.href).not.toMatch(/ENOTFOUND|EAI_AGAIN|getaddrinfo/)
  expect(server.logged()).toMatch(/unregistered client refused/)
})
