import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { account, LIMITS } from '@vrata/contract'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { fileOf, halves } from '../../../test/pictures.ts'
import { registerUser } from '../../../test/registered-user.ts'
import { type Caller, startTestServer, type TestServer } from '../../../test/test-server.ts'
import { buildApp } from '../../app.ts'
import { REQUEST_TIMEOUTS } from './slow-requests.ts'

/** Generous for busy machines. */
const POLL = { timeout: 60_000 }

let server: TestServer
/** The same server with the real deadline, and one with a short one. */
let patient: string
let short: string
const apps: TestServer['app'][] = []
/** Uploads whose other half is never sent. */
const begun: ClientRequest[] = []
beforeAll(async () => {
  server = await startTestServer()
  const listen = async (timeouts: typeof REQUEST_TIMEOUTS) => {
    const { app } = await buildApp({ adapters: server.deps, store: server.store, pages: false, timeouts })
    apps.push(app)
    return await app.listen({ port: 0, host: '127.0.0.1' })
  }
  patient = await listen(REQUEST_TIMEOUTS)
  short = await listen({ ...REQUEST_TIMEOUTS, uploadBody: 400 })
})
afterAll(async () => {
  for (const sending of begun) sending.destroy()
  for (const app of apps) await app.close()
  await server?.close()
})

/** Begins an upload and sends half of it, or a whole file. */
function begin(origin: string, person: Caller, file?: Uint8Array): ClientRequest {
  const sending = request(new URL(`/v1${account.setProfilePicture.path}`, origin), {
    method: account.setProfilePicture.method,
    headers: {
      cookie: [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      origin: server.config.url,
      'content-type': 'multipart/form-data; boundary=b',
      ...(file ? {} : { 'content-length': 9000 }),
    },
  })
  begun.push(sending)
  sending.on('error', () => undefined)
  sending.write('--b\r\ncontent-disposition: form-data; name="profile_picture"; filename="a"\r\n\r\n')
  sending.write(file ?? 'half')
  return sending
}

async function answerOf(sending: ClientRequest): Promise<{ status: number; code: string; headers: object }> {
  const [response] = await once(sending, 'response')
  const { error } = JSON.parse(await text(response))
  return { status: response.statusCode, code: error.code, headers: response.headers }
}

async function upload(person: Caller) {
  return await person.call(account.setProfilePicture, { profile_picture: fileOf(await halves('png')) })
}

/** Resolves when the server has counted as many uploads of the user. */
async function counted(user_id: string, uploads: number): Promise<void> {
  const count = async () =>
    (await server.store.read.selectFrom('pictures').select('file').where('user_id', '=', user_id).execute()).length
  await expect.poll(count, POLL).toBe(uploads)
}

test('three slow uploads of one user do not delay those of others (security §20.9)', async () => {
  const [ana, bor] = [await registerUser(server), await registerUser(server)]
  const slow = [begin(patient, ana)]
  await counted(ana.user.id, 1)
  slow.push(begin(patient, ana), begin(patient, ana))
  // Both at once: a response that arrives while another one is awaited would be missed.
  for (const answer of await Promise.all(slow.slice(1).map(answerOf)))
    expect(answer).toMatchObject({
      status: 429,
      code: 'too_many_requests',
      headers: { 'retry-after': '20' },
    })
  expect((await Promise.race([upload(bor), pause(60_000)]))?.http).toBe(200)
  for (const one of slow) one.destroy()
  await expect.poll(async () => (await upload(ana)).http, POLL).toBe(200)
})

test('an upload that is not received in time is answered and disconnected, and frees its place', async () => {
  const ana = await registerUser(server)
  const began = performance.now()
  expect(await answerOf(begin(short, ana))).toMatchObject({
    status: 408,
    code: 'request_timeout',
    headers: { connection: 'close' },
  })
  // Ended by our limit, not by that of Node.js for whole requests.
  expect(performance.now() - began).toBeLessThan(REQUEST_TIMEOUTS.upload)
  await expect.poll(async () => (await upload(ana)).http, POLL).toBe(200)
})

test('an upload counts before it is read, and one beyond the limit is rejected unread', async () => {
  const ana = await registerUser(server)
  const created_at = server.clock.now().toISOString()
  const former = Array.from({ length: LIMITS.uploads_per_hour - 1 }, (_, n) => ({
    file: `${ana.user.id}-${n}.webp`,
    user_id: ana.user.id,
    created_at,
    kept_at: created_at,
    dropped_at: created_at,
  }))
  await server.store.db.insertInto('pictures').values(former).execute()
  const last = begin(patient, ana)
  await counted(ana.user.id, LIMITS.uploads_per_hour)
  last.destroy()
  const answer = async () => (await answerOf(begin(patient, ana))).headers
  await expect.poll(answer, POLL).toMatchObject({ 'retry-after': '3600' })
})

test('a waiting client that disconnects does not keep its place', async () => {
  const first = await registerUser(server)
  const people = [first]
  while (people.length < 5) people.push(await registerUser(server))
  const sending = people.map((person) => begin(patient, person))
  for (const { user } of people) await counted(user.id, 1)
  // Three are received, two wait.
  for (const one of sending.reverse()) one.destroy()
  // Until the server has noticed that, the person's own upload counts.
  await expect.poll(async () => (await upload(first)).http, POLL).toBe(200)
})

test('a picture whose sender does not wait for the answer is stored whole', async () => {
  const person = await registerUser(server)
  const { pictures } = server.deps
  const { squares } = pictures
  onTestFinished(() => {
    pictures.squares = squares
  })
  const [app] = apps as [TestServer['app']]
  const connected = once(app.server, 'connection')
  const sending = begin(patient, person, await halves('png'))
  sending.end('\r\n--b--')
  const [socket] = await connected
  pictures.squares = async (bytes, options) => {
    sending.destroy()
    await once(socket, 'close')
    await nextTurn()
    return await squares(bytes, options)
  }
  await expect
    .poll(async () => person.call(account.getAccount), POLL)
    .toMatchObject({ data: { profile_picture: expect.any(String) } })
})
