import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { account } from '@vrata/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cookieHeader } from '../../../../testing/api-client.ts'
import { registerUser } from '../../../test/registered-user.ts'
import { startTestServer, type TestServer } from '../../../test/test-server.ts'
import { REST } from './early-answers.ts'

/** More than the buffers of the two sockets hold, and than a picture may have. */
const LARGE = Buffer.alloc(12_000_000, 'a')

let server: TestServer
let port: number
beforeAll(async () => {
  server = await startTestServer()
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  port = (server.app.server.address() as AddressInfo).port
})
afterAll(() => server?.close())

const head = (line: string, headers: string): string =>
  `${line} HTTP/1.1\r\nHost: localhost\r\nOrigin: ${server.config.url}\r\n${headers}\r\n`
const sized = `Content-Length: ${LARGE.length}\r\n`
const json = 'Content-Type: application/json\r\n'
const form = 'Content-Type: application/x-www-form-urlencoded\r\n'
const chunk = Buffer.concat([Buffer.from(`${LARGE.length.toString(16)}\r\n`), LARGE, Buffer.from('\r\n0\r\n\r\n')])

const BODIES: [string, () => string | Promise<string>, Buffer, string][] = [
  ['a body of the API', () => head('POST /v1/auth/login', json + sized), LARGE, '413 '],
  [
    'a body without a length',
    () => head('POST /v1/auth/login', `${json}Transfer-Encoding: chunked\r\n`),
    chunk,
    '413 ',
  ],
  ['a body of another type', () => head('POST /v1/auth/login', `Content-Type: text/x\r\n${sized}`), LARGE, '415 '],
  ['a form of the token endpoint', () => head('POST /token', form + sized), LARGE, '413 '],
  ['a form without a length', () => head('POST /token', `${form}Transfer-Encoding: chunked\r\n`), chunk, '413 '],
  ['a body of an unknown address', () => head('POST /nothing', json + sized), LARGE, '404 '],
  [
    'a picture',
    async () => {
      const { cookies } = await registerUser(server)
      const session = `Cookie: ${cookieHeader(cookies)}\r\n`
      const type = 'Content-Type: multipart/form-data; boundary=b\r\n'
      return head(`PUT /v1${account.setProfilePicture.path}`, session + type + sized)
    },
    LARGE,
    '413 ',
  ],
]

test.each(BODIES)(
  'a client that reads after it has sent all of %s gets the answer (security §20.9)',
  async (_, begin, body, status) => {
    const beginning = await begin()
    const socket = connect({ port, host: '127.0.0.1' })
    await once(socket, 'connect')
    const failed = once(socket, 'error').then(([error]) => error)
    // The client reads nothing before it has sent everything.
    socket.pause()
    socket.write(beginning)
    const sent = new Promise((resolve) => socket.write(body, resolve))
    expect(await Promise.race([sent, failed])).toBeFalsy()
    socket.resume()
    const [answer] = (await Promise.race([once(socket, 'data'), failed])) as [Buffer]
    expect(String(answer).slice('HTTP/1.1 '.length)).toMatch(new RegExp(`^${status}`))
    socket.destroy()
  },
)

test('the rest of a body is read in a limited amount', async () => {
  const socket = connect({ port, host: '127.0.0.1' })
  await once(socket, 'connect')
  socket.on('error', () => {})
  const answer = text(socket).catch(() => '')
  socket.write(head('POST /v1/auth/login', `${json}Content-Length: ${4 * REST.bytes}\r\n`))
  let sent = 0
  while (!socket.destroyed && sent < 4 * REST.bytes) {
    sent += LARGE.length
    if (!socket.write(LARGE)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {})
  }
  expect(sent).toBeLessThan(4 * REST.bytes)
  await answer
})
