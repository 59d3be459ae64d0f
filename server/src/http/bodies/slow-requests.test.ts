import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { buildApp } from '../../app.ts'
import { REST } from './early-answers.ts'
import { REQUEST_TIMEOUTS } from './slow-requests.ts'

let server: TestServer
let app: TestServer['app']
let port: number
beforeAll(async () => {
  server = await startTestServer()
  const timeouts = { headers: 300, body: 600, upload: 20_000, uploadBody: 1200, check: 50, stalled: 1000 }
  app = (await buildApp({ adapters: server.deps, store: server.store, pages: false, timeouts })).app
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})
afterAll(async () => {
  await app?.close()
  await server?.close()
})

/** Sends the beginning of a request and then a byte every 50 ms, which would take minutes; resolves with the response. */
async function sendSlowly(beginning: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  socket.on('error', () => {})
  socket.write(beginning)
  const drip = setInterval(() => socket.write('x'), 50)
  const response = await text(socket).catch(() => '')
  clearInterval(drip)
  return response
}

const head = (line: string): string => `${line} HTTP/1.1\r\nHost: localhost\r\nOrigin: ${server.config.url}\r\n`
const BODY = 'content-type: application/json\r\ncontent-length: 5000\r\n\r\n{"a":"'

test('headers have 10 s, requests 30 s, uploads 60 s, checked every 2 s (security §20.8)', () => {
  expect(REQUEST_TIMEOUTS).toEqual({
    headers: 10_000,
    body: 30_000,
    upload: 60_000,
    uploadBody: 20_000,
    check: 2_000,
    stalled: 75_000,
  })
  expect(server.app.server).toMatchObject({
    headersTimeout: 10_000,
    requestTimeout: 60_000,
    timeout: 75_000,
    connectionsCheckingInterval: 2_000,
  })
})

const SLOW: [string, () => string][] = [
  ['headers', () => 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nx-slow: '],
  ['a body of the API', () => head('POST /v1/auth/login') + BODY],
  ['a body of the token endpoint', () => head('POST /oauth/token') + BODY],
  ['a body of an unknown address', () => head('POST /nothing') + BODY],
]

test.each(SLOW)('disconnects a client that sends %s slowly', async (_, beginning) => {
  const began = performance.now()
  const response = await sendSlowly(beginning())
  // Before the rest of a body whose request was answered early is given up, and before the limit of uploads.
  expect(performance.now() - began).toBeLessThan(REST.milliseconds)
  expect(response).toMatch(/^HTTP\/1\.1 (408|404) .*"code":"(request_timeout|not_found)"/s)
})

test('does not disconnect a client that is only slow to send its next request', async () => {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  let received = ''
  socket.on('data', (chunk) => {
    received += String(chunk)
  })
  for (const expected of [1, 2]) {
    socket.write(`${head('POST /v1/auth/login')}content-type: application/json\r\ncontent-length: 2\r\n\r\n{}`)
    await expect.poll(() => received.match(/HTTP\/1\.1 400 /g)?.length).toBe(expected)
    await pause(700)
  }
  expect(socket.destroyed).toBe(false)
  socket.destroy()
})

test('disconnects a client that does not read its answers', async () => {
  const accepted = once(app.server, 'connection')
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  socket.on('error', () => {}).pause()
  const [connection] = await accepted
  // More than the buffers of the connection take.
  socket.write('GET /v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(100))
  await expect.poll(() => connection.destroyed).toBe(true)
  socket.destroy()
})
